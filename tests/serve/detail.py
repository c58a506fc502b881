"""Checks the detail of an answer about a list of two texts: places, words, attention."""
import json
import sys

answer = json.load(open(sys.argv[1], encoding="utf-8"))
assert [len(detail["sentences"]) for detail in answer["detail"]] == [2, 1]
for text, detail in zip(answer["translatedText"], answer["detail"]):
    for sentence in detail["sentences"]:
        best = sentence["translations"][0]
        assert text[sentence["target_begin"]:sentence["target_end"]] == best["text"]
        assert sentence["source_end"] - sentence["source_begin"] == len(sentence["source"])
        assert sentence["middle"] is None
        assert len(sentence["source_words"]) == len(sentence["source_word_spans"]) + 1
        for begin, end in sentence["source_word_spans"]:
            assert 0 <= begin < end <= len(sentence["source"])
        assert len(sentence["translations"]) == 2
        for one in sentence["translations"]:
            assert len(one["words"]) == len(one["word_spans"]) == len(one["word_confidences"])
            for begin, end in one["word_spans"]:
                assert 0 <= begin < end <= len(one["text"])
            assert len(one["attention"]) == len(one["words"]) + (one["end"] == "mark")
            for row in one["attention"]:
                assert len(row) == len(sentence["source_words"]) and abs(sum(row) - 1) < 1e-3
