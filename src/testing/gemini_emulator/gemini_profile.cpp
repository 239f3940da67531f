#include <pyaichat/testing/gemini_profile.hpp>

#include <charconv>
#include <memory>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

struct generation {
    int major = 0;
    int minor = 0;
    friend auto operator<=>(const generation&, const generation&) = default;
};

/// Parses "3.6" or "4" at the beginning of the text and sets `rest` to the remaining text.
std::optional<generation> read_generation(std::string_view text, std::string_view& rest) {
    generation out;
    const char* const begin = std::to_address(text.begin());
    const char* const end = std::to_address(text.end());
    const auto major = std::from_chars(begin, end, out.major);
    if (major.ec != std::errc()) {
        return std::nullopt;
    }
    const char* at = major.ptr;
    if (at != end && *at == '.') {
        const auto minor = std::from_chars(at + 1, end, out.minor);
        if (minor.ec != std::errc()) {
            return std::nullopt;
        }
        at = minor.ptr;
    }
    rest = text.substr(static_cast<std::size_t>(at - begin));
    return out;
}

gemini_profile profile_of(generation version) {
    const bool three = version >= generation{3, 0};
    const bool three_five = version >= generation{3, 5};
    const bool three_six = version >= generation{3, 6};
    gemini_profile out;
    out.name = std::to_string(version.major) + (version.major < 4 || version.minor > 0 ? "." + std::to_string(version.minor) : "");
    out.emits_call_ids = three;
    out.requires_id_echo = three_five;
    out.requires_signatures = three;
    out.takes_response_parts = three;
    out.takes_function_role = !three_five;
    out.takes_model_last = !three_six;
    out.takes_parts_after_responses = !three_six;
    out.takes_thinking_budget = version.major < 4;
    out.takes_thinking_level = three;
    out.takes_minimal_thinking = three && version < generation{3, 7};
    out.takes_json_with_functions = three;
    out.takes_builtins_with_functions = three;
    out.takes_penalties = three && !three_six;
    return out;
}

}  // namespace

result<gemini_profile> gemini_profile_of_version(std::string_view version) {
    std::string_view rest;
    const std::optional<generation> parsed = read_generation(version, rest);
    if (!parsed || !rest.empty() || *parsed < generation{2, 5} || parsed->major > 4) {
        return failure{.code = errc::invalid_argument,
                       .message = "'" + std::string(version) + "' is not a version of the emulated models",
                       .hint = "Use a version from 2.5 to 4: 2.5, 3.0, 3.5, 3.6, 3.8 or 4."};
    }
    return profile_of(*parsed);
}

gemini_profile gemini_profile_of_model(std::string_view model) {
    model.remove_prefix(model.starts_with("models/") ? 7 : 0);
    std::string_view rest;
    std::optional<generation> version;
    if (constexpr std::string_view family = "gemini-"; model.starts_with(family)) {
        version = read_generation(model.substr(family.size()), rest);
    }
    if (!version || !rest.starts_with('-')) {
        return {};
    }
    gemini_profile out = profile_of(*version);
    out.takes_minimal_thinking = out.takes_minimal_thinking && rest.find("-pro") == std::string_view::npos;
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
