#include <pyaichat/choice/provider_choice.hpp>

#include <pyaichat/anthropic/anthropic.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/net/url.hpp>
#include <pyaichat/offline/offline.hpp>
#include <pyaichat/openai/openai.hpp>

#include <algorithm>
#include <cstdlib>

namespace pyaichat::inline PYAICHAT_ABI {

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

failure unusable_choice(std::string text) {
    return {.code = errc::invalid_argument, .message = std::move(text)};
}

result<void> check_address(const std::string& text, const std::string& variable) {
    const auto url = net::parse_url(text);
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

result<void> check_url(const std::string& text) {
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
    const auto url = net::parse_url(text);
    return url && url->loopback();
}

/// Chooses a service with the interface of OpenAI.
result<provider_choice> choose_openai(const provider_request& chosen, const environment& outside, const variables& file) {
    auto profile = openai_profile_named(chosen.profile);
    if (!profile) {
        return profile.error();
    }
    provider_choice out;
    openai_options openai{.profile = *std::move(profile)};
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
        return unusable_choice(chosen.profile + " needs a key: set " + variable + " " + chosen.places);
    }
    openai.api_key = key.value;
    openai.model = chosen.model.empty() ? look_up("OPENAI_MODEL", outside, file).value : chosen.model;
    out.name = openai.model.empty() ? openai.profile.model : openai.model;
    if (out.name.empty()) {
        return unusable_choice(chosen.profile + " needs a model: name one, or set OPENAI_MODEL " + chosen.places);
    }
    if (has_control_characters(out.name)) {
        return unusable_choice("OPENAI_MODEL contains control characters: set it again");
    }
    out.openai = std::move(openai);
    return out;
}

result<provider_choice> choose_anthropic(const provider_request& chosen, const environment& outside, const variables& file) {
    provider_choice out;
    anthropic_options anthropic;
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
        return unusable_choice("anthropic needs a key: set ANTHROPIC_API_KEY " + chosen.places);
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
result<provider_choice> choose_by_key(const provider_request& chosen, const environment& outside, const variables& file) {
    const auto with_notice = [](result<provider_choice> choice, const char* variable) {
        if (choice && choice->notice.empty()) {
            choice->notice = std::string(variable) + " is set, so " + choice->name + " answers.";
        }
        return choice;
    };
    if (!look_up("OPENAI_API_KEY", outside, file).value.empty()) {
        provider_request openai = chosen;
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

result<provider_request> provider_named(std::string_view name) {
    if (name == "offline") {
        return provider_request{.provider = provider_name::offline};
    }
    if (name == "gemini") {
        return provider_request{.provider = provider_name::gemini};
    }
    if (name == "anthropic") {
        return provider_request{.provider = provider_name::anthropic};
    }
    const std::string_view profile = name == "gemini-openai" ? "gemini" : name;
    if (openai_profile_named(profile)) {
        return provider_request{.provider = provider_name::openai, .profile = std::string(profile)};
    }
    std::string names = "offline, gemini, anthropic, gemini-openai";
    for (const std::string& each : openai_profile_names()) {
        names += each == "gemini" ? "" : ", " + each;
    }
    return failure{.code = errc::invalid_argument,
                   .message = "there is no provider '" + std::string(name) + "'",
                   .hint = "Name one of " + std::move(names) + "."};
}

std::string provider_choice::api_key() const {
    return gemini ? gemini->api_key : openai ? openai->api_key : anthropic ? anthropic->api_key : std::string();
}

std::optional<std::string> process_environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

result<provider_choice> choose_provider(const provider_request& chosen, const environment& outside, const variables& file) {
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
            return unusable_choice(std::string("gemini needs a key: set ") + key_variable + " " + chosen.places);
        }
        return choose_by_key(chosen, outside, file);
    }
    if (has_control_characters(key.value)) {
        return unusable_choice(std::string(key_variable) + " contains control characters (perhaps a line end): set it again");
    }
    gemini_options gemini{.api_key = key.value};
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

any_provider make_provider(const provider_choice& choice) {
    return choice.gemini      ? any_provider(gemini(*choice.gemini))
           : choice.openai    ? any_provider(openai(*choice.openai))
           : choice.anthropic ? any_provider(anthropic(*choice.anthropic))
                              : any_provider(offline());
}

}  // namespace pyaichat::inline PYAICHAT_ABI
