#include <pyaichat/openai/openai_profile.hpp>

#include <array>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

/// What one service changes in the defaults.
struct named_profile {
    const char* name;
    void (*change)(openai_profile& profile);
};

/// Takes back what only OpenAI itself knows.
void not_openai(openai_profile& profile, const char* url) {
    profile.base_url = url;
    profile.model.clear();
    profile.strict_tools = false;
    profile.responses_models.clear();
    profile.empty_parameters = true;
    profile.answer_schemas = openai_answer_schemas::alone;
    profile.models_without_answer_schemas.clear();
}

/// A server on the own machine.
void local_server(openai_profile& profile, const char* url) {
    not_openai(profile, url);
    profile.key_optional = true;
}

/// A hosted service.
void hosted(openai_profile& profile, const char* url, const char* key_variable) {
    not_openai(profile, url);
    profile.key_variable = key_variable;
    profile.token_limit_member = "max_tokens";
}

// Wire document, section 9. Each entry is data: the encoder has no branch for a service.
constexpr std::array<named_profile, 11> profiles = {{
    {"openai", [](openai_profile&) {}},
    {"openrouter", [](openai_profile& profile) { hosted(profile, "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"); }},
    {"mistral",
     [](openai_profile& profile) {
         hosted(profile, "https://api.mistral.ai/v1", "MISTRAL_API_KEY");
         profile.stream_options = false;
         profile.no_content = openai_no_content::empty;
         profile.call_ids = openai_call_ids::nine;
         profile.text_after_replies = openai_text_after_replies::in_last_reply;
         profile.parameters = schema_profiles::mistral;
     }},
    {"groq",
     [](openai_profile& profile) {
         hosted(profile, "https://api.groq.com/openai/v1", "GROQ_API_KEY");
         profile.token_limit_member = "max_completion_tokens";
         profile.parameters = schema_profiles::groq;
     }},
    {"deepseek",
     [](openai_profile& profile) {
         hosted(profile, "https://api.deepseek.com", "DEEPSEEK_API_KEY");
         profile.required_choice.clear();
         profile.no_content = openai_no_content::empty;
         profile.answer_schemas = openai_answer_schemas::none;  // only JSON of any form
         profile.demanded_member = "reasoning_content";
         profile.image_types.clear();
     }},
    {"kimi",
     [](openai_profile& profile) {
         hosted(profile, "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY");
         profile.required_choice.clear();
         profile.no_content = openai_no_content::empty;
         profile.answer_schemas = openai_answer_schemas::none;  // only JSON of any form
         profile.demanded_member = "reasoning_content";
     }},
    {"gemini",
     [](openai_profile& profile) {
         hosted(profile, "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY");
         profile.parameters = schema_profiles::gemini;
         profile.image_types = {"image/png", "image/jpeg", "image/webp"};
         profile.foreign_call_members = json::object(
             {{"extra_content", json::object({{"google", json::object({{"thought_signature", "skip_thought_signature_validator"}})}})}});
     }},
    {"vllm",
     [](openai_profile& profile) {
         local_server(profile, "http://localhost:8000/v1");
         profile.parameters = schema_profiles::vllm;
     }},
    {"lm_studio",
     [](openai_profile& profile) {
         local_server(profile, "http://localhost:1234/v1");
         profile.parameters = schema_profiles::llamacpp;  // most of its models run on llama.cpp
         profile.image_types = {"image/png", "image/jpeg", "image/webp"};
         profile.token_limit_member = "max_tokens";
         profile.no_content = openai_no_content::empty;
     }},
    {"ollama",
     [](openai_profile& profile) {
         local_server(profile, "http://localhost:11434/v1");
         profile.parameters = schema_profiles::ollama;
         profile.image_types = {"image/png", "image/jpeg"};
         profile.token_limit_member = "max_tokens";
         profile.required_choice.clear();
     }},
    {"llamacpp",
     [](openai_profile& profile) {
         local_server(profile, "http://localhost:8080/v1");
         profile.image_types = {"image/png", "image/jpeg"};
         profile.model = "default";
         profile.checks_model = false;
         profile.parameters = schema_profiles::llamacpp;
         profile.parallel_calls = true;
         profile.token_limit_member = "max_tokens";
     }},
}};

}  // namespace

result<openai_profile> openai_profile_named(std::string_view name) {
    for (const named_profile& entry : profiles) {
        if (entry.name == name) {
            openai_profile out;
            out.name = entry.name;
            entry.change(out);
            return out;
        }
    }
    std::string names;
    for (const named_profile& entry : profiles) {
        names += (names.empty() ? "" : ", ") + std::string(entry.name);
    }
    return failure{.code = errc::not_found,
                   .message = "there is no profile named \"" + std::string(name) + "\"",
                   .hint = "Choose one of these profiles: " + names + "."};
}

std::vector<std::string> openai_profile_names() {
    std::vector<std::string> out;
    for (const named_profile& entry : profiles) {
        out.emplace_back(entry.name);
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
