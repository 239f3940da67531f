#include "python/entry_names.hpp"

#include "python/logical_line.hpp"
#include "python/python_words.hpp"

#include <algorithm>

namespace repl {

namespace {

/// Collects the names that one logical line defines.
class defined_names {
public:
    explicit defined_names(std::string_view source) : source_(source) {}

    void read(const logical_line& line, bool parameters) {
        tokens_ = line.tokens;
        if (line.head == "import" || line.head == "from") {
            imported();
            return;
        }
        const std::size_t keyword = word(0) == "async" ? 1 : 0;
        if (line.head == "def" || line.head == "class") {
            add(keyword + 1);
            if (line.head == "def" && parameters) {
                parameters_from(keyword + 2);
            }
            return;
        }
        if (line.head == "for") {
            targets(keyword + 1, "in");
        } else if (!is_keyword(word(0))) {
            assigned();
        }
        for (std::size_t i = 1; i < tokens_.size(); ++i) {
            if (word(i - 1) == "as" || word(i) == ":=") {
                add(word(i) == ":=" ? i - 1 : i);
            }
        }
    }

    std::vector<std::string> take() {
        std::ranges::sort(names_);
        names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
        return std::move(names_);
    }

private:
    std::string_view word(std::size_t i) const {
        return i < tokens_.size() ? source_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin) : std::string_view();
    }

    void add(std::size_t i) {
        const bool attribute = i > 0 && word(i - 1) == ".";
        if (i < tokens_.size() && tokens_[i].kind == token_kind::name && !is_keyword(word(i)) && !attribute) {
            names_.emplace_back(word(i));
        }
    }

    /// `import a.b as c, d` defines c and d; `import a.b` defines a.
    void imported() {
        const bool from = word(0) == "from";
        std::size_t i = 1;
        while (from && i < tokens_.size() && word(i - 1) != "import") {
            ++i;
        }
        for (; i < tokens_.size(); ++i) {
            const std::string_view previous = word(i - 1);
            if ((previous == "import" || previous == "," || previous == "(") && word(i + 1) != "as") {
                add(i);
            } else if (previous == "as") {
                add(i);
            }
        }
    }

    void parameters_from(std::size_t begin) {
        for (std::size_t i = begin; i < tokens_.size() && !(tokens_[i].depth == 0 && word(i) == ")"); ++i) {
            const std::string_view previous = word(i - 1);
            if (tokens_[i].depth == 1 && (previous == "(" || previous == "," || previous == "*" || previous == "**")) {
                add(i);
            }
        }
    }

    /// The targets up to a keyword or an operator, or up to an annotation: `a, (b, c) =`.
    void targets(std::size_t begin, std::string_view end) {
        for (std::size_t i = begin; i < tokens_.size() && word(i) != end && word(i) != ":"; ++i) {
            if (const std::string_view next = word(i + 1); next != "." && next != "(" && next != "[") {
                add(i);
            }
        }
    }

    /// `a = b, c = ...`, `a: int`, `a += 1`.
    void assigned() {
        std::size_t begin = 0;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const bool outside = tokens_[i].depth == tokens_.front().depth;
            if (outside && word(i) == "=") {
                targets(begin, "=");
                begin = i + 1;
            } else if (outside && i == 1 && word(i) == ":") {
                add(0);
            } else if (outside && word(i) == ";") {
                begin = i + 1;
            }
        }
    }

    std::string_view source_;
    std::span<const python_token> tokens_;
    std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> names_defined_in(std::string_view source) {
    const python_tokens lexed = lex_python(source);
    defined_names names(source);
    for (const logical_line& line : logical_lines(source, lexed)) {
        names.read(line, true);
    }
    return names.take();
}

std::vector<std::string> module_names_in(std::string_view source) {
    const python_tokens lexed = lex_python(source);
    defined_names names(source);
    for (const logical_line& line : logical_lines(source, lexed)) {
        if (line.indent.empty()) {
            names.read(line, false);
        }
    }
    return names.take();
}

}  // namespace repl
