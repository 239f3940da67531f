#include <pyaichat/core/json.hpp>

#include <pyaichat/core/text.hpp>

#include "core/json_builder.hpp"
#include "core/surrogates.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

/// The code unit of the `\uXXXX` at `at`, or -1 if there is none.
int escaped_unit(std::string_view text, std::size_t at) noexcept {
    const std::string_view escape = text.substr(std::min(at, text.size()), 6);
    const char* end = escape.data() + escape.size();
    unsigned unit = 0;
    const bool valid = escape.size() == 6 && escape.starts_with("\\u") && std::from_chars(escape.data() + 2, end, unit, 16).ptr == end;
    return valid ? static_cast<int>(unit) : -1;
}

/// Replaces unpaired surrogate escapes such as `\uD800`, which services pass on from the model's input.
std::string repair_surrogates(std::string text, lone_surrogates halves) {
    const auto high = [](int unit) { return unit >= 0xD800 && unit <= 0xDBFF; };
    const auto low = [](int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; };
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i] != '\\') {
            continue;
        }
        const int unit = escaped_unit(text, i);
        if (high(unit) && low(escaped_unit(text, i + 6))) {
            i += 11;
        } else if (high(unit) || low(unit)) {
            std::string half = "\\ufffd";
            if (halves == lone_surrogates::kept) {
                half.clear();
                detail::append_surrogate(half, static_cast<unsigned>(unit));
            }
            text.replace(i, 6, half);
            i += half.size() - 1;
        } else {
            ++i;
        }
    }
    return text;
}

failure not_json(std::string_view text) {
    return {.code = errc::bad_response,
            .message = "not JSON: " + (detail::is_blank(text) ? std::string("empty") : detail::one_line(text, 120)),
            .hint = "Send one complete JSON document."};
}

/// A copy in which everything below `depth` levels is null.
json cut_at_depth(const json& value, std::size_t depth) {
    if (!value.is_structured()) {
        return value;
    }
    if (depth == 0) {
        return nullptr;
    }
    json copy(value.type());
    for (auto element = value.begin(); element != value.end(); ++element) {
        (value.is_object() ? copy[element.key()] : copy.emplace_back()) = cut_at_depth(*element, depth - 1);
    }
    return copy;
}

result<json> parse(std::string_view text, json_budget& budget, std::size_t depth, lone_surrogates halves) {
    const std::size_t values = budget.values;
    detail::json_builder built(budget, depth);
    if (json::sax_parse(text, &built)) {
        return built.take();
    }
    if (built.stopped()) {
        return *built.stopped();
    }
    budget.values = values;
    detail::json_builder repaired(budget, depth);
    if (json::sax_parse(repair_surrogates(detail::repair_utf8(text), halves), &repaired)) {
        return repaired.take();
    }
    return repaired.stopped() ? *repaired.stopped() : not_json(text);
}

}  // namespace

result<json> parse_json(std::string_view text, std::size_t depth, lone_surrogates halves) {
    json_budget unlimited{.values = std::numeric_limits<std::size_t>::max()};
    return parse(text, unlimited, depth, halves);
}

result<json> parse_json(std::string_view text, json_budget& budget, lone_surrogates halves) {
    return parse(text, budget, max_json_depth, halves);
}

std::string dump_json(const json& value, int indent) {
    constexpr auto replace = json::error_handler_t::replace;
    if (nests_deeper_than(value, max_json_depth)) {
        return cut_at_depth(value, max_json_depth).dump(indent, ' ', false, replace);
    }
    return value.dump(indent, ' ', false, replace);
}

bool nests_deeper_than(const json& value, std::size_t depth) noexcept {
    const auto nests = [depth](const json& element) { return nests_deeper_than(element, depth - 1); };
    if (const auto* members = value.get_ptr<const json::object_t*>()) {
        return depth == 0 || std::any_of(members->begin(), members->end(), [&](const auto& member) { return nests(member.second); });
    }
    const auto* elements = value.get_ptr<const json::array_t*>();
    return elements != nullptr && (depth == 0 || std::any_of(elements->begin(), elements->end(), nests));
}

const json* find_member(const json& object, std::string_view key) noexcept {
    const auto* members = object.get_ptr<const json::object_t*>();  // the iterators of `json` take twice as long
    if (members == nullptr) {
        return nullptr;
    }
    const auto at = members->find(key);
    return at != members->end() ? &at->second : nullptr;
}

std::optional<std::string_view> as_string(const json& value) noexcept {
    const auto* text = value.get_ptr<const json::string_t*>();
    return text != nullptr ? std::optional<std::string_view>(*text) : std::nullopt;
}

std::optional<bool> as_bool(const json& value) noexcept {
    const auto* flag = value.get_ptr<const json::boolean_t*>();
    return flag != nullptr ? std::optional<bool>(*flag) : std::nullopt;
}

std::optional<std::int64_t> as_integer(const json& value) noexcept {
    if (const auto* number = value.get_ptr<const json::number_unsigned_t*>()) {
        return std::in_range<std::int64_t>(*number) ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
    }
    if (const auto* number = value.get_ptr<const json::number_integer_t*>()) {
        return *number;
    }
    if (const auto* number = value.get_ptr<const json::number_float_t*>()) {
        // 2^63 is a double; the largest int64 is not.
        if (*number >= -9223372036854775808.0 && *number < 9223372036854775808.0 && std::trunc(*number) == *number) {
            return static_cast<std::int64_t>(*number);
        }
    }
    return std::nullopt;
}

std::optional<double> as_number(const json& value) noexcept {
    if (const auto* number = value.get_ptr<const json::number_float_t*>()) {
        return *number;
    }
    if (const auto* number = value.get_ptr<const json::number_unsigned_t*>()) {
        return static_cast<double>(*number);
    }
    if (const auto* number = value.get_ptr<const json::number_integer_t*>()) {
        return static_cast<double>(*number);
    }
    return std::nullopt;
}

std::optional<std::string_view> string_member(const json& object, std::string_view key) noexcept {
    const json* member = find_member(object, key);
    return member != nullptr ? as_string(*member) : std::nullopt;
}

std::optional<bool> bool_member(const json& object, std::string_view key) noexcept {
    const json* member = find_member(object, key);
    return member != nullptr ? as_bool(*member) : std::nullopt;
}

std::optional<std::int64_t> integer_member(const json& object, std::string_view key) noexcept {
    const json* member = find_member(object, key);
    return member != nullptr ? as_integer(*member) : std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
