#include "testing/gemini_emulator/gemini_target.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::pair<std::string_view, gemini_method> method_suffixes[] = {
    {":generateContent", gemini_method::generate},
    {":streamGenerateContent", gemini_method::stream},
    {":countTokens", gemini_method::count_tokens},
};

/// Removes the text up to `mark`, and `mark`, from `rest`. Returns the text without `mark`.
std::string_view take_until(std::string_view& rest, char mark) {
    const std::size_t end = std::min(rest.find(mark), rest.size());
    const std::string_view out = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return out;
}

}  // namespace

std::optional<std::string_view> gemini_target::parameter(std::string_view name) const {
    const auto found = std::find_if(query.begin(), query.end(), [&](const auto& entry) { return entry.first == name; });
    return found == query.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::optional<gemini_target> parse_gemini_target(std::string_view http_method, std::string_view target) {
    gemini_target out;
    std::string_view path = take_until(target, '?');
    for (std::string_view rest = target; !rest.empty();) {
        std::string_view value = take_until(rest, '&');
        const std::string_view name = take_until(value, '=');
        out.query.emplace_back(name, value);
    }
    if (take_until(path, '/') != "") {
        return std::nullopt;
    }
    out.version = take_until(path, '/');
    const std::string_view collection = take_until(path, '/');
    const bool tuned = collection == "tunedModels";
    if ((out.version != "v1" && out.version != "v1beta" && out.version != "v1alpha") || (!tuned && collection != "models")) {
        return std::nullopt;
    }
    if (path.empty()) {
        out.method = gemini_method::list_models;
    } else {
        out.method = gemini_method::describe_model;
        for (const auto& [suffix, method] : method_suffixes) {
            if (path.ends_with(suffix)) {
                out.method = method;
                path.remove_suffix(suffix.size());
            }
        }
        if (path.empty() || path.find_first_of("/:") != std::string_view::npos) {
            return std::nullopt;
        }
        out.model = (tuned ? "tunedModels/" : "") + std::string(path);
    }
    const bool get = out.method == gemini_method::describe_model || out.method == gemini_method::list_models;
    return (get ? http_method == "GET" || http_method == "HEAD" : http_method == "POST") ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
