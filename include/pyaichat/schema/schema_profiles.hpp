#pragma once
#include <pyaichat/schema/reduce.hpp>

#include <string_view>

/// What services accept as the parameters of a function, as of November 2026. The profiles are data: copy one and change a member if a
/// service differs.
namespace pyaichat::inline PYAICHAT_ABI::schema_profiles {

namespace detail {

inline constexpr std::string_view every_keyword =
    "type enum const properties required additionalProperties patternProperties propertyNames minProperties maxProperties "
    "dependentRequired dependentSchemas items prefixItems contains minContains maxContains minItems maxItems uniqueItems "
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format "
    "allOf anyOf oneOf not if then else title description default examples deprecated";

}  // namespace detail

/// OpenAI without `strict`: the schema is shown to the model and not enforced.
inline constexpr schema_profile openai{.name = "openai", .keywords = detail::every_keyword, .formats = "*", .items_needed = true};

/// Anthropic without `strict`.
inline constexpr schema_profile anthropic{.name = "anthropic", .keywords = detail::every_keyword, .formats = "*"};

/// `parametersJsonSchema` of Gemini: its documented keywords. Cyclic references work only in some places, so they are inlined.
inline constexpr schema_profile gemini{
    .name = "gemini",
    .keywords =
        "type format title description enum items prefixItems minItems maxItems minimum maximum anyOf properties "
        "additionalProperties required",
    .formats = "date-time date time duration int32 int64 float double",
    .enum_types = "string number integer",
    .patterns = pattern_support::none,
    .references = false,
    .items_needed = true,
    .max_depth = 32};

/// The server of llama.cpp, which turns each schema into a grammar and refuses a request whose grammar has large repetitions or an
/// unknown escape.
inline constexpr schema_profile llamacpp{
    .name = "llamacpp",
    .keywords =
        "type enum const properties required additionalProperties items prefixItems minItems maxItems minimum maximum "
        "exclusiveMinimum exclusiveMaximum minLength maxLength pattern format anyOf title description default",
    .formats = "date time date-time uuid",
    .patterns = pattern_support::plain,
    .max_count = 500,
    .max_choices = 2000,
    .max_depth = 32};

/// vLLM, which compiles schemas with xgrammar.
inline constexpr schema_profile vllm{
    .name = "vllm",
    .keywords =
        "type enum const properties required additionalProperties items prefixItems minItems maxItems minimum maximum "
        "exclusiveMinimum exclusiveMaximum minLength maxLength pattern format anyOf title description default",
    .formats =
        "email date time date-time duration ipv4 ipv6 hostname uuid uri uri-reference uri-template json-pointer "
        "relative-json-pointer",
    .patterns = pattern_support::regular,
    .max_count = 1000,
    .max_depth = 32};

/// Ollama, which reads a few members of each schema and shows them to the model.
inline constexpr schema_profile ollama{.name = "ollama",
                                       .keywords = "type enum properties required items anyOf description",
                                       .patterns = pattern_support::none,
                                       .references = false,
                                       .max_depth = 16};

/// Groq, which validates calls itself and fails the request (`tool_use_failed`) where they do not fit: few keywords fail less.
inline constexpr schema_profile groq{
    .name = "groq",
    .keywords = "type enum const properties required additionalProperties items anyOf title description default",
    .patterns = pattern_support::none,
    .items_needed = true,
    .max_depth = 32};

/// Mistral.
inline constexpr schema_profile mistral{
    .name = "mistral",
    .keywords =
        "type enum const properties required additionalProperties items minItems maxItems minimum maximum anyOf title description "
        "default",
    .patterns = pattern_support::none,
    .items_needed = true,
    .max_depth = 32};

}  // namespace pyaichat::inline PYAICHAT_ABI::schema_profiles
