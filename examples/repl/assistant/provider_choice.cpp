#include "assistant/provider_choice.hpp"

#include <pyaichat/net/url.hpp>

#include <algorithm>
#include <cstdlib>

namespace repl {

namespace {

constexpr const char* key_variable = "GEMINI_API_KEY";
constexpr const char* model_variable = "GEMINI_MODEL";
constexpr const char* url_variable = "GEMINI_BASE_URL";

struct setting {
    std::string value = {};
    bool from_file = false;
};

/// An empty variable in the environment counts as set: it overrides `.env`.
setting look_up(const char* name, const environment& outside, const variables& file) {
    if (auto value = outside(name)) {
        return {.value = *std::move(value)};
    }
    const auto found = file.find(name);
    return found != file.end() ? setting{.value = found->second, .from_file = true} : setting{};
}

bool has_control_characters(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

ai::failure unusable_choice(std::string text) {
    return {.code = ai::errc::invalid_argument, .message = std::move(text)};
}

ai::result<void> check_address(const std::string& text, const std::string& variable) {
    const auto url = ai::net::parse_url(text);
    if (!url) {
        return unusable_choice(variable + " is not valid: " + url.error().message);
    }
    if (url->scheme == "http" && !url->loopback()) {
        return unusable_choice(variable + " would send the key unencrypted to another machine: use https://");
    }
    if (const std::size_t mark = text.find_first_of("?#"); mark != std::string::npos) {
        return unusable_choice(variable + " has a " + (text[mark] == '?' ? "query" : "fragment") + ": remove the '" + text[mark] +
                               "' and what follows it");
    }
    return {};
}

ai::result<void> check_url(const std::string& text) {
    if (auto usable = check_address(text, url_variable); !usable) {
        return usable;
    }
    const std::string path = text.substr(0, text.find_last_not_of('/') + 1);
    for (const std::string version : {"/v1", "/v1beta"}) {
        if (path.ends_with(version)) {
            return unusable_choice(std::string(url_variable) + " ends in " + version + ": remove that, the version is added");
        }
    }
    return {};
}

bool is_loopback(const std::string& text) {
    const auto url = ai::net::parse_url(text);
    return url && url->loopback();
}

/// Chooses a service with the interface of OpenAI.
ai::result<provider_choice> choose_openai(const options& chosen, const environment& outside, const variables& file) {
    auto profile = ai::openai_profile_named(chosen.profile);
    if (!profile) {
        return profile.error();
    }
    provider_choice out;
    ai::openai_options openai{.profile = *std::move(profile)};
    const std::string& variable = openai.profile.key_variable;
    setting key = look_up(variable.c_str(), outside, file);
    const setting url = look_up("OPENAI_BASE_URL", outside, file);
    if (openai.profile.key_optional && url.value.empty()) {
        key = {};
    }
    if (has_control_characters(key.value)) {
        return unusable_choice(variable + " contains control characters (perhaps a line end): set it again");
    }
    const bool trusted = !url.from_file || (key.value.empty() ? is_loopback(url.value) : key.from_file);
    if (!url.value.empty() && !trusted) {
        out.notice = "OPENAI_BASE_URL in .env is ignored, because " + variable + " is not from there.";
    } else if (!url.value.empty()) {
        if (auto usable = check_address(url.value, "OPENAI_BASE_URL"); !usable) {
            return usable.error();
        }
        openai.base_url = url.value;
    }
    if (key.value.empty() && !openai.profile.key_optional && !is_loopback(openai.base_url)) {
        return unusable_choice("--provider " + chosen.profile + " needs a key: set " + variable + " in the environment or in a file .env");
    }
    openai.api_key = key.value;
    openai.model = chosen.model.empty() ? look_up("OPENAI_MODEL", outside, file).value : chosen.model;
    out.name = openai.model.empty() ? openai.profile.model : openai.model;
    if (out.name.empty()) {
        return unusable_choice("--provider " + chosen.profile + " needs a model: set OPENAI_MODEL, or use --model");
    }
    if (has_control_characters(out.name)) {
        return unusable_choice("OPENAI_MODEL contains control characters: set it again");
    }
    out.openai = std::move(openai);
    return out;
}

ai::result<provider_choice> choose_anthropic(const options& chosen, const environment& outside, const variables& file) {
    provider_choice out;
    ai::anthropic_options anthropic;
    const setting key = look_up("ANTHROPIC_API_KEY", outside, file);
    if (has_control_characters(key.value)) {
        return unusable_choice("ANTHROPIC_API_KEY contains control characters (perhaps a line end): set it again");
    }
    const setting url = look_up("ANTHROPIC_BASE_URL", outside, file);
    const bool trusted = !url.from_file || (key.value.empty() ? is_loopback(url.value) : key.from_file);
    if (!url.value.empty() && !trusted) {
        out.notice = "ANTHROPIC_BASE_URL in .env is ignored, because ANTHROPIC_API_KEY is not from there.";
    } else if (!url.value.empty()) {
        if (auto usable = check_address(url.value, "ANTHROPIC_BASE_URL"); !usable) {
            return usable.error();
        }
        anthropic.base_url = url.value;
    }
    if (key.value.empty() && !is_loopback(anthropic.base_url)) {
        return unusable_choice("--provider anthropic needs a key: set ANTHROPIC_API_KEY in the environment or in a file .env");
    }
    anthropic.api_key = key.value;
    const setting model = look_up("ANTHROPIC_MODEL", outside, file);
    if (!chosen.model.empty()) {
        anthropic.model = chosen.model;
    } else if (!model.value.empty()) {
        anthropic.model = model.value;
    }
    if (has_control_characters(anthropic.model)) {
        return unusable_choice("ANTHROPIC_MODEL contains control characters: set it again");
    }
    out.name = anthropic.model;
    out.anthropic = std::move(anthropic);
    return out;
}

/// Without a key for Gemini, the first other key decides, and the notice says so.
ai::result<provider_choice> choose_by_key(const options& chosen, const environment& outside, const variables& file) {
    const auto with_notice = [](ai::result<provider_choice> choice, const char* variable) {
        if (choice && choice->notice.empty()) {
            choice->notice = std::string(variable) + " is set, so " + choice->name + " answers.";
        }
        return choice;
    };
    if (!look_up("OPENAI_API_KEY", outside, file).value.empty()) {
        options openai = chosen;
        openai.profile = "openai";
        return with_notice(choose_openai(openai, outside, file), "OPENAI_API_KEY");
    }
    if (!look_up("ANTHROPIC_API_KEY", outside, file).value.empty()) {
        return with_notice(choose_anthropic(chosen, outside, file), "ANTHROPIC_API_KEY");
    }
    return provider_choice{
        .notice = std::string("No ") + key_variable +
                  " is set, so the built-in offline provider answers.\nTo use Gemini, set the key in the environment or in a file .env.",
        .name = "offline provider"};
}

}  // namespace

std::string provider_choice::api_key() const {
    return gemini ? gemini->api_key : openai ? openai->api_key : anthropic ? anthropic->api_key : std::string();
}

std::optional<std::string> process_environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

ai::result<provider_choice> choose_provider(const options& chosen, const environment& outside, const variables& file) {
    provider_choice out{.name = "offline provider"};
    if (chosen.provider == provider_name::offline) {
        return out;
    }
    if (chosen.provider == provider_name::openai) {
        return choose_openai(chosen, outside, file);
    }
    if (chosen.provider == provider_name::anthropic) {
        return choose_anthropic(chosen, outside, file);
    }
    const setting key = look_up(key_variable, outside, file);
    if (key.value.empty()) {
        if (chosen.provider == provider_name::gemini) {
            return unusable_choice(std::string("--provider gemini needs a key: set ") + key_variable +
                                   " in the environment or in a file .env");
        }
        return choose_by_key(chosen, outside, file);
    }
    if (has_control_characters(key.value)) {
        return unusable_choice(std::string(key_variable) + " contains control characters (perhaps a line end): set it again");
    }
    ai::gemini_options gemini{.api_key = key.value};
    const setting model = look_up(model_variable, outside, file);
    if (!chosen.model.empty()) {
        gemini.model = chosen.model;
    } else if (!model.value.empty()) {
        gemini.model = model.value;
    }
    if (has_control_characters(gemini.model)) {
        return unusable_choice(std::string(model_variable) + " contains control characters: set it again");
    }
    const setting url = look_up(url_variable, outside, file);
    if (!url.value.empty() && url.from_file && !key.from_file) {
        out.notice = std::string(url_variable) + " in .env is ignored, because " + key_variable + " is not from there.";
    } else if (!url.value.empty()) {
        if (auto usable = check_url(url.value); !usable) {
            return usable.error();
        }
        gemini.base_url = url.value;
    }
    out.name = gemini.model;
    out.gemini = std::move(gemini);
    return out;
}

}  // namespace repl
