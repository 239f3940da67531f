#include <pyaichat/anthropic/anthropic_model_info.hpp>

#include "anthropic/wire.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <numeric>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

namespace {

/// Takes a number of at most two digits from the front of a name, or returns -1.
int take_number(std::string_view& name) {
    const auto end = std::find_if_not(name.begin(), name.end(), detail::is_digit);
    const auto digits = static_cast<std::size_t>(end - name.begin());
    if (digits == 0 || digits > 2) {
        return -1;
    }
    const int number = std::accumulate(name.begin(), end, 0, [](int sum, char digit) { return sum * 10 + (digit - '0'); });
    name.remove_prefix(digits);
    return number;
}

struct claude_version {
    int major = 0;
    int minor = 0;
};

/// The version in the name of a Claude model, or nothing for other models and those before Claude 4.
std::optional<claude_version> version_of(std::string_view model) noexcept {
    constexpr std::string_view prefix = "claude-";
    if (!model.starts_with(prefix)) {
        return std::nullopt;
    }
    model.remove_prefix(prefix.size());
    const std::size_t dash = model.find('-');
    const std::string_view family = model.substr(0, dash);  // "haiku"; before Claude 4, the number came first
    if (dash == std::string_view::npos || !std::all_of(family.begin(), family.end(), detail::is_letter)) {
        return std::nullopt;
    }
    model.remove_prefix(dash + 1);
    claude_version out{.major = take_number(model)};
    if (out.major < 0) {
        return std::nullopt;
    }
    if (model.starts_with('-')) {
        model.remove_prefix(1);
        out.minor = std::max(take_number(model), 0);  // a date is not a number of two digits
    }
    return out;
}

}  // namespace

bool may_be_forced(std::string_view model) noexcept {
    const auto version = version_of(model);
    return version && (version->major < 5 || (version->major == 5 && version->minor == 0));
}

bool has_structured_answers(std::string_view model) noexcept {
    const auto version = version_of(model);
    return version && (version->major > 4 || (version->major == 4 && version->minor >= 5));
}

result<anthropic_model_info> decode_model(const json& wire) {
    anthropic_model_info info;
    info.name = string_of(wire, "id");
    if (info.name.empty()) {
        return unreadable("the description of the model has no `id`");
    }
    info.display_name = string_of(wire, "display_name");
    info.input_token_limit = integer_member(wire, "max_input_tokens").value_or(0);
    info.output_token_limit = integer_member(wire, "max_tokens").value_or(0);
    if (const json* capabilities = find_member(wire, "capabilities")) {
        if (const json* thinking = find_member(*capabilities, "thinking")) {
            info.thinks = bool_member(*thinking, "supported").value_or(false);
        }
    }
    return info;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
