#include <pyaichat/testing/openai_script.hpp>

#include "testing/emulation/reply_script.hpp"
#include "testing/text_file.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

std::vector<openai_call> calls_in_script(const script_member& in) {
    std::vector<openai_call> out;
    for (const script_member& call : in.list()) {
        call.allow({"id", "name", "arguments"});
        out.push_back({call.text_or("id", ""), call.field("name").text(), call.text_or("arguments", "{}")});
    }
    return out;
}

/// Adds each member of an object by `add`.
template <class Add>
openai_reply add_each(openai_reply&& reply, const script_member& in, Add add) {
    in.expect(in.value().is_object(), "Write an object of names and values.");
    for (const auto& entry : in.value().items()) {
        reply = add(std::move(reply), entry.key(), entry.value());
    }
    return std::move(reply);
}

std::vector<service_member<openai_service>> service_members() {
    using service = openai_service&;
    using in = const script_member&;
    return {
        {"api_key", [](service it, in value) { it.api_key = value.text(); }},
        {"models", [](service it, in value) { it.models = script_texts(value); }},
        {"models_without_reasoning", [](service it, in value) { it.models_without_reasoning = script_texts(value); }},
        {"models_without_functions", [](service it, in value) { it.models_without_functions = script_texts(value); }},
        {"nine_character_ids", [](service it, in value) { value.flag(), it.nine_character_ids = true; }},
        {"answer_schemas_alone", [](service it, in value) { value.flag(), it.answer_schemas_alone = true; }},
        {"any_last_message", [](service it, in value) { value.flag(), it.any_last_message = true; }},
        {"demanded_member", [](service it, in value) { it.demanded_member = value.text(); }},
        {"demanded_call_member", [](service it, in value) { it.demanded_call_member = value.text(); }},
    };
}

std::vector<reply_maker<openai_reply>> makers_of_openai() {
    using in = const script_member&;
    return {
        {"text", [](in it) { return openai_reply::text(it.text()); }},
        {"deltas", [](in it) { return openai_reply::deltas(script_texts(it)); }},
        {"calls", [](in it) { return openai_reply::calls(calls_in_script(it)); }},
        {"output", [](in it) { return it.expect(it.value().is_array(), "Write a list of items."), openai_reply::output(it.value()); }},
        {"error",
         [](in it) {
             it.allow({"status", "message", "code", "type"});
             return openai_reply::error(static_cast<int>(it.field("status").count()), it.text_or("message", ""), it.text_or("code", ""),
                                        it.text_or("type", "server_error"));
         }},
        {"document", [](in it) { return openai_reply::document(it.value()); }},
        {"http", script_http_reply<openai_reply>},
        {"hang", [](in it) { return it.flag(), openai_reply::hang(); }},
    };
}

std::vector<reply_changer<openai_reply>> changers_of_openai() {
    using reply = openai_reply&&;
    using in = const script_member&;
    return {
        {"thinking", [](reply it, in value) { return std::move(it).thinking(value.text()); }},
        {"with_member",
         [](reply it, in value) {
             return add_each(std::move(it), value,
                             [](reply to, const std::string& name, const json& member) { return std::move(to).with_member(name, member); });
         }},
        {"with_call_member",
         [](reply it, in value) {
             return add_each(std::move(it), value, [](reply to, const std::string& name, const json& member) {
                 return std::move(to).with_call_member(name, member);
             });
         }},
        {"finishing", [](reply it, in value) { return std::move(it).finishing(value.text()); }},
        {"without_finish", [](reply it, in value) { return value.flag(), std::move(it).without_finish(); }},
        {"without_done", [](reply it, in value) { return value.flag(), std::move(it).without_done(); }},
        {"without_index", [](reply it, in value) { return value.flag(), std::move(it).without_index(); }},
        {"then_error",
         [](reply it, in value) {
             value.allow({"code", "message"});
             return std::move(it).then_error(static_cast<int>(value.field("code").count()), value.text_or("message", ""));
         }},
        {"header",
         [](reply it, in value) {
             return add_each(std::move(it), value, [](reply to, const std::string& name, const json& member) {
                 return std::move(to).header(name, as_string(member).value_or(""));
             });
         }},
        {"after", [](reply it, in value) { return std::move(it).after(value.time()); }},
        {"byte_by_byte", [](reply it, in value) { return value.flag(), std::move(it).byte_by_byte(); }},
        {"cut_after", [](reply it, in value) { return std::move(it).cut_after(value.count()); }},
    };
}

}  // namespace

result<openai_script> parse_openai_script(std::string_view text) {
    static const script_grammar<openai_service, openai_reply> grammar = {
        .service = service_members(), .makers = makers_of_openai(), .changers = changers_of_openai()};
    return parse_reply_script<openai_script>(text, grammar);
}

result<openai_script> read_openai_script(const std::string& path) {
    return read_text_file(path, parse_openai_script);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
