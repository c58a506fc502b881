// The library in C++, where destructors free and exceptions report: prints the five best translations of each
// line of standard input with their scores:  search MODEL < TEXT
//
//     c++ -std=c++17 search.cpp $(pkg-config --cflags --libs nmt) -o search
#include <nmt.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Free {
    void operator()(nmt_model *model) const
    {
        nmt_close(model);
    }
    void operator()(nmt_translator *translator) const
    {
        nmt_translator_free(translator);
    }
    void operator()(nmt_result *result) const
    {
        nmt_result_free(result);
    }
};
using Result = std::unique_ptr<nmt_result, Free>;

class Translator
{
  public:
    explicit Translator(const std::string &path)
    {
        char error[NMT_ERROR_BYTES];
        model.reset(nmt_open(path.c_str(), error, sizeof error));
        if (model)
            translator.reset(nmt_translator_new(model.get(), error, sizeof error));
        if (!translator)
            throw std::runtime_error(error);
    }
    void set(const char *option, const char *value)
    {
        if (nmt_set(translator.get(), option, value))
            throw std::invalid_argument(nmt_error(translator.get()));
    }
    Result translate(const std::vector<std::string> &lines)
    {
        std::vector<const char *> texts;
        for (const std::string &line : lines)
            texts.push_back(line.c_str());
        Result result(nmt_translate(translator.get(), texts.data(), texts.size()));
        if (!result)
            throw std::runtime_error(nmt_error(translator.get()));
        return result;
    }

  private:
    std::unique_ptr<nmt_model, Free> model; // before the translator, so that it is closed after it
    std::unique_ptr<nmt_translator, Free> translator;
};

int main(int argc, char **argv)
try {
    if (argc != 2) {
        std::cerr << "usage: search MODEL < TEXT\n";
        return 2;
    }
    Translator translator(argv[1]);
    translator.set("beam", "5");
    translator.set("n-best", "5");
    std::string line;
    while (std::getline(std::cin, line)) {
        const Result result = translator.translate({line});
        for (std::size_t rank = 0; rank < nmt_result_count(result.get(), 0); rank++) {
            const nmt_translation *best = nmt_result_translation(result.get(), 0, rank);
            std::cout << best->score << '\t' << best->text << '\n';
        }
    }
    return 0;
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
