#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/result.hpp>
#include <pyaichat/schema/schema_profiles.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// The `content` of an assistant message that has only calls.
enum class openai_no_content : unsigned char {
    null,   ///< `null`
    empty,  ///< `""`: for chat templates that concatenate texts
    omit,   ///< the member is left out
};

/// The call ids that a service accepts.
enum class openai_call_ids : unsigned char {
    any,   ///< up to 40 letters, digits, `_` and `-`
    nine,  ///< nine letters or digits, unique in the conversation
};

/// Where a user text goes that follows the replies to calls.
enum class openai_text_after_replies : unsigned char {
    user_message,   ///< in a user message of its own
    in_last_reply,  ///< at the end of the last reply: the service refuses a user message there
};

/// Whether a service holds an answer to a JSON Schema.
enum class openai_answer_schemas : unsigned char {
    none,
    alone,   ///< only in a request without functions
    strict,  ///< also beside functions, if the schema has the strict form
};

/// How a service differs from OpenAI's Chat Completions. The defaults are those of OpenAI. Start from `openai_profile_named`.
struct openai_profile {
    std::string name = "openai";
    std::string base_url = "https://api.openai.com/v1";
    std::string model = "gpt-5.4-mini";           ///< the default model; empty = the host must choose one
    std::string key_variable = "OPENAI_API_KEY";  ///< the variable that usually holds the key, for hints
    bool key_optional = false;                    ///< without a key, no `Authorization` header is sent
    bool checks_model = true;                     ///< the service refuses an unknown model

    std::string system_role = "system";                        ///< or `developer`
    std::string token_limit_member = "max_completion_tokens";  ///< or `max_tokens`
    bool stream_options = true;                                ///< send `stream_options.include_usage`
    std::optional<bool> parallel_calls = {};                   ///< `parallel_tool_calls`; not set = left out
    std::string required_choice = "required";                  ///< `tool_choice` that demands a call; empty = left out
    bool strict_tools = true;                                  ///< knows `strict` in the declaration of a function
    bool empty_parameters = false;                             ///< declares `parameters` for a function without any
    /// The schemas that the service accepts as parameters. Others are reduced to that; arguments are validated against the full schema.
    schema_profile parameters = schema_profiles::openai;

    openai_answer_schemas answer_schemas = openai_answer_schemas::strict;
    /// Parts of the names of models that do not take the schema of an answer.
    std::vector<std::string> models_without_answer_schemas = {"gpt-3.5", "gpt-4-", "o1-mini", "o1-preview"};

    openai_no_content no_content = openai_no_content::null;
    openai_call_ids call_ids = openai_call_ids::any;
    openai_text_after_replies text_after_replies = openai_text_after_replies::user_message;
    /// The MIME types of images that the service takes; empty for models that see none. The model reads a text in the place of other
    /// images.
    std::vector<std::string> image_types = {"image/png", "image/jpeg", "image/webp", "image/gif"};
    /// A member that every assistant message must have, such as `reasoning_content`. If it did not come, it is sent empty.
    std::string demanded_member = {};
    /// Members for the first call of an assistant message that the service did not write. Null = none.
    json foreign_call_members = {};
    /// Error codes that say that the model wrote a call that the service could not read: the attempt is malformed, not refused.
    std::vector<std::string> malformed_call_codes = {"tool_use_failed"};
    /// Parts of model names for which the Responses API is used, because they do not take function tools on Chat Completions.
    std::vector<std::string> responses_models = {"gpt-6-astra", "gpt-6.1-sol", "-pro", "codex"};
};

/// Returns the profile of a service: `openai`, `openrouter`, `mistral`, `groq`, `deepseek`, `kimi`, `gemini`, `vllm`, `lm_studio`, `ollama`
/// or `llamacpp`. Fails with `not_found`; the hint lists the names.
[[nodiscard]] result<openai_profile> openai_profile_named(std::string_view name);

/// Returns the names that `openai_profile_named` accepts.
[[nodiscard]] std::vector<std::string> openai_profile_names();

}  // namespace pyaichat::inline PYAICHAT_ABI
