#pragma once
#include <pyaichat/core/time.hpp>
#include <pyaichat/message/money.hpp>
#include <pyaichat/message/usage.hpp>

#include <optional>
#include <string>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// The tokens, the time and the cost of one question in a line: "1,234 tokens in, 56 out · 2.3 s · $0.0021". Without the cost if it is zero
/// or not known.
[[nodiscard]] std::string say_usage(const ai::token_usage& usage, ai::duration took, std::optional<ai::money> cost);

/// Adds up the tokens, the time and the cost of all questions, by model.
class cost_ledger {
public:
    void add(const std::string& model, const ai::token_usage& usage, ai::duration took, std::optional<ai::money> cost);
    /// One line for each model, one for the sum if there are several, and one with the date of the prices if there is a cost.
    [[nodiscard]] std::string report(const std::string& prices_as_of) const;

private:
    struct account {
        std::string model = {};
        int questions = 0;
        ai::token_usage usage = {};
        ai::duration took = {};
        ai::money cost = {};
        int priced = 0;  ///< the questions whose cost is known
    };
    [[nodiscard]] static std::string line_for(const account& each);

    std::vector<account> accounts_;
};

}  // namespace repl
