#include <pyaichat/testing/gemini_script.hpp>

#include <pyaichat/core/text.hpp>

#include "testing/gemini_emulator/gemini_script_entry.hpp"
#include "testing/text_file.hpp"

#include <algorithm>
#include <array>
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

result<std::vector<std::string>> read_models(const json& value) {
    std::vector<std::string> out;
    for (std::size_t index = 0; value.is_array() && index < value.size(); ++index) {
        out.emplace_back(as_string(value[index]).value_or(""));
    }
    if (out.empty() || std::count(out.begin(), out.end(), "") > 0) {
        return refuse("models: invalid value", "Write a list of model names, without models/ in front.");
    }
    return out;
}

result<gemini_service> read_service(const json& script) {
    gemini_service out;
    if (const json* version = find_member(script, "profile")) {
        result<gemini_profile> profile = gemini_profile_of_version(as_string(*version).value_or(dump_json(*version)));
        if (!profile) {
            return refuse("profile: " + profile.error().message, profile.error().hint);
        }
        out.profile = std::move(*profile);
    }
    if (const json* key = find_member(script, "api_key")) {
        out.api_key = as_string(*key).value_or("");
        if (out.api_key.empty()) {
            return refuse("api_key: invalid value", "Write the key that clients have to send, as a text.");
        }
    }
    if (const json* models = find_member(script, "models")) {
        result<std::vector<std::string>> names = read_models(*models);
        if (!names) {
            return names.error();
        }
        out.models = std::move(*names);
    }
    return out;
}

result<void> check_members(const json& script) {
    const std::vector<std::string> known = {"profile", "api_key", "models", "replies", "otherwise"};
    for (auto entry = script.begin(); entry != script.end(); ++entry) {
        if (std::find(known.begin(), known.end(), entry.key()) == known.end()) {
            const std::string_view nearest = detail::nearest_name(entry.key(), known);
            return refuse("unknown member \"" + entry.key() + "\"", nearest.empty()
                                                                        ? "Use one of: profile, api_key, models, replies, otherwise."
                                                                        : "Did you mean \"" + std::string(nearest) + "\"?");
        }
    }
    return {};
}

}  // namespace

result<gemini_script> parse_gemini_script(std::string_view text) {
    const result<json> document = parse_json(text);
    if (!document) {
        return document.error().code == errc::too_large ? refuse("nested too deeply", "Write a flatter document.") : not_json(text);
    }
    const json* replies = find_member(*document, "replies");
    if (!document->is_object() || replies == nullptr || !replies->is_array()) {
        return refuse("the list \"replies\" is missing", R"(Write an object with a list: {"replies": [{"text": "Hello."}]}.)");
    }
    if (const result<void> known = check_members(*document); !known) {
        return known.error();
    }
    gemini_script out;
    result<gemini_service> service = read_service(*document);
    if (!service) {
        return service.error();
    }
    out.service = std::move(*service);
    for (std::size_t index = 0; index < replies->size(); ++index) {
        result<gemini_reply> reply = read_gemini_reply((*replies)[index], "replies[" + std::to_string(index) + "]");
        if (!reply) {
            return reply.error();
        }
        out.replies.push_back(std::move(*reply));
    }
    if (const json* otherwise = find_member(*document, "otherwise")) {
        result<gemini_reply> reply = read_gemini_reply(*otherwise, "otherwise");
        if (!reply) {
            return reply.error();
        }
        out.otherwise = std::move(*reply);
    }
    return out;
}

result<gemini_script> read_gemini_script(const std::string& path) {
    return read_text_file(path, parse_gemini_script);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
