#include "openai/answer_format.hpp"

#include "openai/declared_schema.hpp"
#include "openai/wire.hpp"
#include "provider/answer_schema.hpp"

#include <pyaichat/openai/codec.hpp>
#include <pyaichat/schema/reduce.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

answer_format::answer_format(const openai_options& options)
    : profile_(options.profile), name_(options.generation.response_schema_name), responses_(uses_responses(options)) {
    const std::string model = model_name(options);
    const std::vector<std::string>& without = profile_.models_without_answer_schemas;
    known_to_model_ = std::none_of(without.begin(), without.end(), [&](const std::string& part) { return model.find(part) != model.npos; });
    if (const json* text = find_member(options.generation.more, "text"); responses_ && text != nullptr && text->is_object()) {
        text_ = *text;
    }
    if (!options.generation.response_schema.is_null()) {
        default_ = member_of(options.generation.response_schema);
    } else if (const json* format = find_member(options.generation.more, "response_format"); format != nullptr && !responses_) {
        append_member(default_, "response_format", *format);
    } else if (!text_.empty()) {
        append_member(default_, "text", text_);
    }
}

std::string answer_format::member_of(const json& schema) const {
    json format = json::object({{"name", name_}, {"schema", schema}});
    if (is_strict(schema)) {
        format["strict"] = true;
    }
    std::string out;
    if (responses_) {
        json text = text_;
        format["type"] = "json_schema";
        text["format"] = std::move(format);
        append_member(out, "text", text);
    } else {
        append_member(out, "response_format", json::object({{"json_schema", std::move(format)}, {"type", "json_schema"}}));
    }
    return out;
}

bool answer_format::takes(const json& schema) const {
    return known_to_model_ && profile_.answer_schemas == openai_answer_schemas::strict && is_enforceable(detail::without_dialect(schema));
}

void answer_format::append_to(std::string& out, const model_request& request) const {
    if (!request.answer_schema || request.answer_schema->is_null()) {
        out += default_;
        return;
    }
    const json schema = detail::without_dialect(*request.answer_schema);
    const bool alone = request.declarations.empty() && profile_.answer_schemas != openai_answer_schemas::none && known_to_model_;
    if (takes(schema)) {
        out += member_of(schema);
    } else if (alone) {
        out += member_of(reduce_schema(schema, profile_.parameters).schema);
    } else if (!text_.empty()) {
        append_member(out, "text", text_);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
