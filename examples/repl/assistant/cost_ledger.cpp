#include "assistant/cost_ledger.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace repl {

namespace {

/// A number with commas: 1234567 is "1,234,567".
std::string grouped(std::int64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

std::string in_seconds(ai::duration took) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(took).count());
    return text;
}

}  // namespace

std::string say_usage(const ai::token_usage& usage, ai::duration took, std::optional<ai::money> cost) {
    return grouped(usage.input_tokens) + " tokens in" + (usage.cached_tokens > 0 ? " (" + grouped(usage.cached_tokens) + " cached)" : "") +
           ", " + grouped(usage.output_tokens) + " out · " + in_seconds(took) +
           (cost && *cost > ai::money{} ? " · " + to_string(*cost) : "");
}

void cost_ledger::add(const std::string& model, const ai::token_usage& usage, ai::duration took, std::optional<ai::money> cost) {
    auto found = std::find_if(accounts_.begin(), accounts_.end(), [&](const account& each) { return each.model == model; });
    if (found == accounts_.end()) {
        found = accounts_.insert(accounts_.end(), account{.model = model});
    }
    ++found->questions;
    found->usage += usage;
    found->took += took;
    found->cost += cost.value_or(ai::money{});
    found->priced += cost ? 1 : 0;
}

std::string cost_ledger::line_for(const account& each) {
    return each.model + ": " + ai::detail::counted(each.questions, "question") + ", " + say_usage(each.usage, each.took, each.cost) +
           (each.cost > ai::money{} && each.priced < each.questions ? " for " + std::to_string(each.priced) + " of them" : "") + "\n";
}

std::string cost_ledger::report(const std::string& prices_as_of) const {
    if (accounts_.empty()) {
        return "nothing was asked yet\n";
    }
    std::string lines;
    account sum{.model = "together"};
    for (const account& each : accounts_) {
        lines += line_for(each);
        sum.questions += each.questions;
        sum.usage += each.usage;
        sum.took += each.took;
        sum.cost += each.cost;
        sum.priced += each.priced;
    }
    return (accounts_.size() > 1 ? lines + line_for(sum) : lines) +
           (sum.cost > ai::money{} ? "by prices of " + prices_as_of + ", which may have changed\n" : "");
}

}  // namespace repl
