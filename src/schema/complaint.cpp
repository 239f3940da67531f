#include "schema/complaint.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/schema/decode.hpp>

#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::size_t longest_name = 200;
constexpr std::size_t longest_value = 80;
constexpr std::size_t longest_list = 400;
constexpr std::size_t max_candidates = 200;

/// Whether a value contains at most `count` values.
bool is_small(const json& value, int& count) noexcept {
    if (--count < 0) {
        return false;
    }
    if (value.is_structured()) {
        for (const json& inner : value) {
            if (!is_small(inner, count)) {
                return false;
            }
        }
    }
    return true;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
    const std::string_view near = nearest_name(name.substr(0, longest_name), candidates);
    return near.empty() ? std::string() : "; did you mean " + in_quotes(near) + "?";
}

}  // namespace

std::string pointer_to(const value_path& path) {
    std::vector<const value_path*> chain;
    for (const value_path* at = &path; at->parent != nullptr; at = at->parent) {
        chain.push_back(at);
    }
    std::string pointer;
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
        pointer += '/';
        pointer += (*at)->in_array ? std::to_string((*at)->index) : pointer_token(utf8_prefix((*at)->name, longest_name));
    }
    return pointer;
}

std::string in_quotes(std::string_view text) {
    return '"' + one_line(text, longest_name) + '"';
}

std::string in_short(const json& value) {
    if (const auto text = as_string(value)) {
        return dump_json(json(std::string(one_line(*text, longest_value))));
    }
    int count = 20;
    if (is_small(value, count)) {
        return one_line(dump_json(value), longest_value);
    }
    return value.is_array() ? "an array of " + std::to_string(value.size()) + " items"
                            : "an object of " + std::to_string(value.size()) + " members";
}

std::string must_have_type(type_set types, const json& found) {
    constexpr std::array<std::pair<type_set, std::string_view>, 7> names{{{string_type, "a string"},
                                                                          {integer_type, "an integer"},
                                                                          {number_type, "a number"},
                                                                          {boolean_type, "true or false"},
                                                                          {array_type, "an array"},
                                                                          {object_type, "an object"},
                                                                          {null_type, "null"}}};
    std::string text;
    for (const auto& [type, name] : names) {
        if ((types & type) != 0) {
            text += (text.empty() ? "" : " or ");
            text += name;
        }
    }
    const bool fraction = found.is_number() && (types & integer_type) != 0;
    return "must be " + text + ", not " + (fraction ? in_short(found) : std::string(found.type_name()));
}

std::string must_be_one_of(const json& choices, const json& found) {
    std::string text = choices.size() == 1 ? "must be " : "must be one of ";
    std::size_t listed = 0;
    for (const json& choice : choices) {
        if (text.size() > longest_list) {
            break;
        }
        text += (listed++ == 0 ? "" : ", ") + in_short(choice);
    }
    if (listed == choices.size()) {
        return listed == 0 ? "cannot be anything: the schema lists no value" : text;
    }
    text += " and " + std::to_string(choices.size() - listed) + " more";
    if (const auto name = as_string(found)) {
        std::vector<std::string> candidates;
        for (const json& choice : choices) {
            if (candidates.size() == max_candidates) {
                break;
            }
            if (const auto candidate = as_string(choice); candidate && candidate->size() <= longest_name) {
                candidates.emplace_back(*candidate);
            }
        }
        text += did_you_mean(*name, candidates);
    }
    return text;
}

std::string must_have(std::string_view bound, std::uint64_t limit, std::string_view noun) {
    return "must have at " + std::string(bound) + ' ' + std::to_string(limit) + ' ' + std::string(noun) + (limit == 1 ? "" : "s");
}

std::string must_not_have(std::string_view name, const std::vector<named_node>& properties) {
    std::vector<std::string> candidates;
    for (const named_node& property : properties) {
        if (candidates.size() < max_candidates && property.name.size() <= longest_name) {
            candidates.emplace_back(property.name);
        }
    }
    return "must not have the member " + in_quotes(name) + did_you_mean(name, candidates);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
