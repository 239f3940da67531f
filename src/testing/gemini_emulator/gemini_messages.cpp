#include "testing/gemini_emulator/gemini_messages.hpp"

#include <algorithm>
#include <map>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

/// Parses a list of fields: "role" is a string, "store: bool" has a type, "parts: Part[]" is repeated, "labels: string{}" is a map.
gemini_fields parse_fields(std::string_view text) {
    gemini_fields out;
    while (!text.empty()) {
        const std::string_view field = text.substr(0, text.find(", "));
        text.remove_prefix(std::min(field.size() + 2, text.size()));
        const std::size_t colon = field.find(": ");
        gemini_field& added = out.emplace_back(gemini_field{.name = field.substr(0, colon)});
        if (colon != std::string_view::npos) {
            added.type = field.substr(colon + 2);
            added.repeated = added.type.ends_with("[]");
            added.map = added.type.ends_with("{}");
            added.type.remove_suffix(added.repeated || added.map ? 2 : 0);
        }
    }
    return out;
}

const std::map<std::string_view, gemini_fields>& messages() {
    static const std::map<std::string_view, gemini_fields> table = {
        {"GenerateContentRequest",
         parse_fields("model, contents: Content[], systemInstruction: Content, tools: Tool[], toolConfig: ToolConfig, "
                      "safetySettings: SafetySetting[], generationConfig: GenerationConfig, cachedContent, serviceTier: ServiceTier, "
                      "store: bool, labels: string{}, continuationToken: bytes")},
        {"CountTokensRequest", parse_fields("contents: Content[], generateContentRequest: GenerateContentRequest")},
        {"Content", parse_fields("parts: Part[], role")},
        {"Part",
         parse_fields("text, inlineData: Blob, fileData: FileData, functionCall: FunctionCall, functionResponse: FunctionResponse, "
                      "executableCode: ExecutableCode, codeExecutionResult: CodeExecutionResult, toolCall: ToolCall, "
                      "toolResponse: ToolResponse, thought: bool, thoughtSignature: bytes, videoMetadata: any, mediaResolution: any, "
                      "mediaProcessing: any, speechMetadata: any, audioTranscription: any, partMetadata: struct")},
        {"Blob", parse_fields("mimeType, data: bytes, displayName")},
        {"FileData", parse_fields("mimeType, fileUri")},
        {"FunctionCall", parse_fields("id, name, args: struct")},
        {"FunctionResponse", parse_fields("id, name, response: struct, parts: FunctionResponsePart[], willContinue: bool, "
                                          "scheduling: FunctionResponse.Scheduling")},
        {"FunctionResponsePart", parse_fields("inlineData: Blob, fileData: FileData")},
        {"ExecutableCode", parse_fields("language: ExecutableCode.Language, code, id")},
        {"CodeExecutionResult", parse_fields("outcome: CodeExecutionResult.Outcome, output, id")},
        {"ToolCall", parse_fields("id, toolType: ToolType, args: struct")},
        {"ToolResponse", parse_fields("id, toolType: ToolType, response: struct")},
        {"Tool", parse_fields("functionDeclarations: FunctionDeclaration[], googleSearch: struct, googleSearchRetrieval: struct, "
                              "codeExecution: struct, urlContext: struct, googleMaps: struct, fileSearch: struct, computerUse: struct, "
                              "mcpServers: struct[]")},
        {"FunctionDeclaration",
         parse_fields("name, description, parameters: Schema, parametersJsonSchema: any, response: Schema, responseJsonSchema: any, "
                      "behavior: FunctionDeclaration.Behavior")},
        {"Schema", parse_fields("type: Type, format, title, description, nullable: bool, enum: string[], items: Schema, minItems: int64, "
                                "maxItems: int64, properties: Schema{}, required: string[], minProperties: int64, maxProperties: int64, "
                                "minimum: double, maximum: double, minLength: int64, maxLength: int64, pattern, anyOf: Schema[], "
                                "propertyOrdering: string[], default: any, example: any")},
        {"ToolConfig", parse_fields("functionCallingConfig: FunctionCallingConfig, retrievalConfig: RetrievalConfig, "
                                    "includeServerSideToolInvocations: bool")},
        {"FunctionCallingConfig", parse_fields("mode: FunctionCallingConfig.Mode, allowedFunctionNames: string[]")},
        {"RetrievalConfig", parse_fields("languageCode, latLng: struct")},
        {"SafetySetting", parse_fields("category: HarmCategory, threshold: SafetySetting.HarmBlockThreshold")},
        {"GenerationConfig",
         parse_fields("temperature: double, topP: double, topK: double, maxOutputTokens: int32, stopSequences: string[], "
                      "candidateCount: int32, seed: int32, presencePenalty: double, frequencyPenalty: double, responseLogprobs: bool, "
                      "logprobs: int32, responseMimeType, responseSchema: Schema, responseJsonSchema: any, responseFormat: any, "
                      "responseModalities: GenerationConfig.Modality[], thinkingConfig: ThinkingConfig, "
                      "mediaResolution: GenerationConfig.MediaResolution, speechConfig: struct, imageConfig: struct, "
                      "audioTranscriptionConfig: struct, enableEnhancedCivicAnswers: bool")},
        {"ThinkingConfig", parse_fields("includeThoughts: bool, thinkingBudget: int32, thinkingLevel: ThinkingConfig.ThinkingLevel")},
    };
    return table;
}

const std::map<std::string_view, std::vector<std::string_view>>& enumerations() {
    static const std::map<std::string_view, std::vector<std::string_view>> table = {
        {"ServiceTier", {"unspecified", "standard", "flex", "priority"}},
        {"FunctionResponse.Scheduling", {"SCHEDULING_UNSPECIFIED", "SILENT", "WHEN_IDLE", "INTERRUPT"}},
        {"ExecutableCode.Language", {"LANGUAGE_UNSPECIFIED", "PYTHON"}},
        {"CodeExecutionResult.Outcome", {"OUTCOME_UNSPECIFIED", "OUTCOME_OK", "OUTCOME_FAILED", "OUTCOME_DEADLINE_EXCEEDED"}},
        {"ToolType", {"GOOGLE_SEARCH_WEB", "GOOGLE_SEARCH_IMAGE", "URL_CONTEXT", "GOOGLE_MAPS", "FILE_SEARCH", "MEDIA_PROCESSING"}},
        {"FunctionDeclaration.Behavior", {"UNSPECIFIED", "BLOCKING", "NON_BLOCKING"}},
        {"Type",
         {"TYPE_UNSPECIFIED", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL", "string", "number", "integer", "boolean",
          "array", "object", "null"}},
        {"FunctionCallingConfig.Mode", {"MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"}},
        {"HarmCategory",
         {"HARM_CATEGORY_UNSPECIFIED", "HARM_CATEGORY_HARASSMENT", "HARM_CATEGORY_HATE_SPEECH", "HARM_CATEGORY_SEXUALLY_EXPLICIT",
          "HARM_CATEGORY_DANGEROUS_CONTENT", "HARM_CATEGORY_CIVIC_INTEGRITY", "HARM_CATEGORY_JAILBREAK", "HARM_CATEGORY_IMAGE_HATE",
          "HARM_CATEGORY_IMAGE_DANGEROUS_CONTENT", "HARM_CATEGORY_IMAGE_HARASSMENT", "HARM_CATEGORY_IMAGE_SEXUALLY_EXPLICIT"}},
        {"SafetySetting.HarmBlockThreshold",
         {"HARM_BLOCK_THRESHOLD_UNSPECIFIED", "BLOCK_LOW_AND_ABOVE", "BLOCK_MEDIUM_AND_ABOVE", "BLOCK_ONLY_HIGH", "BLOCK_NONE", "OFF"}},
        {"GenerationConfig.Modality", {"MODALITY_UNSPECIFIED", "TEXT", "IMAGE", "AUDIO"}},
        {"GenerationConfig.MediaResolution",
         {"MEDIA_RESOLUTION_UNSPECIFIED", "MEDIA_RESOLUTION_LOW", "MEDIA_RESOLUTION_MEDIUM", "MEDIA_RESOLUTION_HIGH"}},
        {"ThinkingConfig.ThinkingLevel",
         {"THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH", "minimal", "low", "medium", "high", "xhigh"}},
    };
    return table;
}

}  // namespace

const gemini_fields* gemini_message(std::string_view name) {
    const auto found = messages().find(name);
    return found == messages().end() ? nullptr : &found->second;
}

const std::vector<std::string_view>* gemini_enumeration(std::string_view name) {
    const auto found = enumerations().find(name);
    return found == enumerations().end() ? nullptr : &found->second;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
