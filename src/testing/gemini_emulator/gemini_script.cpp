#include <pyaichat/testing/gemini_script.hpp>

#include "testing/emulation/script_member.hpp"
#include "testing/text_file.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

failure refuse(std::string message, std::string hint) {
    return {.code = errc::invalid_argument, .message = std::move(message), .hint = std::move(hint)};
}

/// Finds the position of a JSON syntax error.
struct position_finder final : nlohmann::json_sax<json> {
    std::size_t position = 0;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(json::number_integer_t) override { return true; }
    bool number_unsigned(json::number_unsigned_t) override { return true; }
    bool number_float(json::number_float_t, const json::string_t&) override { return true; }
    bool string(json::string_t&) override { return true; }
    bool binary(json::binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(json::string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception&) override {
        position = at;
        return false;
    }
};

failure not_json(std::string_view text) {
    position_finder finder;
    json::sax_parse(text, &finder);
    const std::string_view before = text.substr(0, std::min(finder.position == 0 ? 0 : finder.position - 1, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t column = before.size() - (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1) + 1;
    return refuse("line " + std::to_string(line) + ", column " + std::to_string(column) + ": invalid JSON",
                  "Write one JSON document: strings in double quotes, no comma after the last member, no comments.");
}

gemini_service read_service(const script_member& script) {
    gemini_service out;
    if (script.has("profile")) {
        const script_member member = script.field("profile");
        result<gemini_profile> profile = gemini_profile_of_version(as_string(member.value()).value_or(dump_json(member.value())));
        if (profile) {
            out.profile = *std::move(profile);
        } else {
            member.report(profile.error().message, profile.error().hint);
        }
    }
    if (script.has("api_key")) {
        const script_member member = script.field("api_key");
        out.api_key = as_string(member.value()).value_or("");
        if (out.api_key.empty()) {
            member.report("invalid value", "Write the key that clients have to send, as a text.");
        }
    }
    if (script.has("models")) {
        const script_member member = script.field("models");
        out.models.clear();
        for (std::size_t index = 0; member.value().is_array() && index < member.value().size(); ++index) {
            out.models.emplace_back(as_string(member.value()[index]).value_or(""));
        }
        if (out.models.empty() || std::count(out.models.begin(), out.models.end(), "") > 0) {
            member.report("invalid value", "Write a list of model names, without models/ in front.");
        }
    }
    return out;
}

}  // namespace

result<gemini_script> parse_gemini_script(std::string_view text) {
    const result<json> document = parse_json(text);
    if (!document) {
        return document.error().code == errc::too_large ? refuse("nested too deeply", "Write a flatter document.") : not_json(text);
    }
    const json* replies = find_member(*document, "replies");
    if (replies == nullptr || !replies->is_array()) {
        return refuse("the list \"replies\" is missing", R"(Write an object with a list: {"replies": [{"text": "Hello."}]}.)");
    }
    std::optional<failure> problem;
    const script_member script(*document, "", problem);
    script.allow({"profile", "api_key", "models", "replies", "otherwise"});
    gemini_script out;
    out.service = read_service(script);
    for (const script_member& entry : script.field("replies").list()) {
        out.replies.push_back(read_gemini_reply(entry));
    }
    if (script.has("otherwise")) {
        out.otherwise = read_gemini_reply(script.field("otherwise"));
    }
    return problem ? result<gemini_script>(*std::move(problem)) : std::move(out);
}

result<gemini_script> read_gemini_script(const std::string& path) {
    return read_text_file(path, parse_gemini_script);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
