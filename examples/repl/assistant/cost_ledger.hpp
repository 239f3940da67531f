#pragma once
#include <pyaichat/core/time.hpp>
#include <pyaichat/message/usage.hpp>

#include <string>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// The tokens and the time of one question in a line: "1,234 tokens in, 56 out · 2.3 s".
[[nodiscard]] std::string say_usage(const ai::token_usage& usage, ai::duration took);

/// Adds up the tokens and the time of all questions, by model.
class cost_ledger {
public:
    void add(const std::string& model, const ai::token_usage& usage, ai::duration took);
    /// One line for each model, and one for the sum if there are several.
    [[nodiscard]] std::string report() const;

private:
    struct account {
        std::string model = {};
        int questions = 0;
        ai::token_usage usage = {};
        ai::duration took = {};
    };
    [[nodiscard]] static std::string line_for(const account& each);

    std::vector<account> accounts_;
};

}  // namespace repl
