"""Prints the translations of each sentence with their scores, from an answer with detail or lines of nmt translate --json."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    for line in f:
        read = json.loads(line)
        for detail in read.get("detail", [{"sentences": [read]}]):
            for sentence in detail["sentences"]:
                print(*((one["text"], round(one["score"], 5)) for one in sentence["translations"]))
