#pragma once
#include <pyaichat/message/request.hpp>
#include <pyaichat/openai/openai_options.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Encodes the JSON Schema of the answer: `response_format`, or `text.format` on the Responses API. The schema of the request replaces
/// that of the options. It is left out where the service does not take one.
class answer_format {
public:
    explicit answer_format(const openai_options& options);

    /// Appends the member and a comma, if the request or the options have a schema.
    void append_to(std::string& out, const model_request& request) const;

    /// Returns whether the service holds an answer to this schema in a request with functions.
    [[nodiscard]] bool takes(const json& schema) const;

private:
    [[nodiscard]] std::string member_of(const json& schema) const;

    openai_profile profile_;
    std::string name_;
    bool responses_;
    bool known_to_model_;
    json text_ = json::object();  ///< the other members of `text`
    std::string default_ = {};    ///< the member for the schema of the options
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
