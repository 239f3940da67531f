#include "schema/evaluation.hpp"

#include <pyaichat/schema/validate.hpp>

#include "schema/json_order.hpp"
#include "schema/number.hpp"

#include <algorithm>
#include <cmath>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// The maximum recursion depth: four schemas per level of the deepest value. Each takes less than 1 KiB of stack.
constexpr std::size_t max_depth = 4 * max_json_depth;

/// Whether a number counts as an integer. In draft-04, 1.0 does not; but integers beyond 64 bits are read as floats, too.
bool is_integer(const json& number, bool without_fraction) noexcept {
    constexpr double beyond_64_bits = 18446744073709551616.0;
    const auto* const value = number.get_ptr<const json::number_float_t*>();
    return is_whole(number) && (!without_fraction || value == nullptr || std::fabs(*value) >= beyond_64_bits / 2);
}

/// The types of a value: an integer is also a number. NaN and infinities have no type.
type_set types_of(const json& value, bool without_fraction) noexcept {
    switch (value.type()) {
        case json::value_t::null: return null_type;
        case json::value_t::boolean: return boolean_type;
        case json::value_t::number_integer:
        case json::value_t::number_unsigned: return number_type | integer_type;
        case json::value_t::number_float:
            return static_cast<type_set>(is_integer(value, without_fraction) ? number_type | integer_type
                                                                             : (is_finite(value) ? number_type : 0));
        case json::value_t::string: return string_type;
        case json::value_t::array: return array_type;
        case json::value_t::object: return object_type;
        default: return 0;
    }
}

std::uint64_t code_points(std::string_view text) noexcept {
    const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    return static_cast<std::uint64_t>(std::count_if(text.begin(), text.end(), starts));
}

}  // namespace

evaluation::evaluation(const schema_program& program, std::vector<schema_error>* errors)
    : program_(program), errors_(errors), steps_(program.max_steps) {
    if (program.has_dynamic_references) {
        in_scope_.resize(program.resources.size(), false);
    }
}

bool evaluation::run(const json& value) {
    return check(program_.root, value, {}, false) && !gave_up_;
}

bool evaluation::spend(std::uint64_t steps) noexcept {
    if (steps > steps_) {
        steps_ = 0;
        gave_up_ = true;
    } else {
        steps_ -= steps;
    }
    return !gave_up_;
}

bool evaluation::collecting() const noexcept {
    return errors_ != nullptr && !gave_up_ && errors_->size() < max_schema_errors;
}

void evaluation::report(schema_error error) {
    // Building, comparing and copying messages costs more than finding the error.
    if (!spend(100 + (error.path.size() + error.keyword.size() + error.message.size()) / 4)) {
        return;
    }
    if (collecting() && std::find(errors_->begin(), errors_->end(), error) == errors_->end()) {
        errors_->push_back(std::move(error));
    }
}

std::string evaluation::here(const value_path& path) {
    std::string text = pointer_to(path);
    static_cast<void>(spend(10 + text.size() / 4));
    return text;
}

bool evaluation::enter(std::uint32_t resource) {
    if (!program_.has_dynamic_references || in_scope_[resource]) {
        return false;
    }
    in_scope_[resource] = true;
    scope_.push_back(resource);
    return true;
}

bool evaluation::check(node_index at, const json& value, const value_path& path, bool annotate) {
    const schema_node& node = program_.nodes[at];
    if (!spend(1)) {
        return false;
    }
    if (node.always) {
        return true;
    }
    if (node.never) {
        return refuse(path, "false", [] { return std::string("must not be there"); });
    }
    if (depth_ == max_depth) {
        gave_up_ = true;
        return false;
    }
    ++depth_;
    const bool entered = enter(node.resource);
    const std::size_t mark = log_.size();
    const bool fits_here = check_keywords(node, value, path, annotate);
    if (!fits_here || !annotate) {
        log_.resize(mark);
    }
    if (entered) {
        in_scope_[node.resource] = false;
        scope_.pop_back();
    }
    --depth_;
    return fits_here;
}

bool evaluation::check_keywords(const schema_node& node, const json& value, const value_path& path, bool annotate) {
    // After a wrong type, further errors would be noise.
    if (node.types != 0 && (node.types & types_of(value, node.integers_without_fraction)) == 0) {
        return refuse(path, "type", [&] { return must_have_type(node.types, value); });
    }
    const bool annotate_here = annotate || node.needs_annotations();
    const std::size_t mark = log_.size();
    bool valid = check_values(node, value, path);
    const auto go_on = [&] { return valid || collecting(); };
    if (node.numbers != nullptr && value.is_number() && go_on()) {
        valid = check_number(*node.numbers, value, path) && valid;
    }
    if (node.strings != nullptr && value.is_string() && go_on()) {
        valid = check_text(*node.strings, *value.get_ptr<const json::string_t*>(), path) && valid;
    }
    if (node.arrays != nullptr && value.is_array() && go_on()) {
        valid = check_array(*node.arrays, value, path, annotate_here) && valid;
    }
    if (node.objects != nullptr && value.is_object() && go_on()) {
        valid = check_object(*node.objects, value, path, annotate_here) && valid;
    }
    if (node.in_place != nullptr && go_on()) {
        valid = check_in_place(node, value, path, annotate_here) && valid;
    }
    // A value that failed has no annotations, so its unevaluated parts are unknown.
    if (valid && node.unevaluated_items != no_node && value.is_array()) {
        valid = check_unevaluated_items(node, value, path, mark);
    }
    if (valid && node.unevaluated_properties != no_node && value.is_object()) {
        valid = check_unevaluated_properties(node, value, path, mark);
    }
    return valid;
}

bool evaluation::check_values(const schema_node& node, const json& value, const value_path& path) {
    bool valid = true;
    std::uint64_t work = 0;
    if (node.constant != nullptr && compare_json(*node.constant, value, work) != 0) {
        valid = refuse(path, "const", [&] { return "must be " + in_short(*node.constant); });
    }
    if (node.choices != nullptr && valid) {
        const auto less = [&work](const json* choice, const json& key) { return compare_json(*choice, key, work) < 0; };
        const auto found = std::lower_bound(node.sorted_choices.begin(), node.sorted_choices.end(), value, less);
        if (found == node.sorted_choices.end() || compare_json(**found, value, work) != 0) {
            valid = refuse(path, "enum", [&] { return must_be_one_of(*node.choices, value); });
        }
    }
    return spend(work) && valid;
}

bool evaluation::check_number(const number_rules& rules, const json& value, const value_path& path) {
    bool valid = true;
    const auto bound = [&](const json* limit, std::string_view keyword, std::string_view words, bool (*holds)(int)) {
        if (limit != nullptr && !holds(compare_numbers(value, *limit))) {
            valid = refuse(path, keyword,
                           [&] { return "must be " + std::string(words) + ' ' + in_short(*limit) + ", not " + in_short(value); });
        }
    };
    bound(rules.minimum, "minimum", "at least", [](int order) { return order >= 0; });
    bound(rules.maximum, "maximum", "at most", [](int order) { return order <= 0; });
    bound(rules.exclusive_minimum, "exclusiveMinimum", "more than", [](int order) { return order > 0; });
    bound(rules.exclusive_maximum, "exclusiveMaximum", "less than", [](int order) { return order < 0; });
    if (rules.multiple_of != nullptr && !(is_finite(value) && is_multiple(value, rules.divisor))) {
        valid = refuse(path, "multipleOf",
                       [&] { return "must be a multiple of " + in_short(*rules.multiple_of) + ", not " + in_short(value); });
    }
    return valid;
}

bool evaluation::check_text(const string_rules& rules, const std::string& text, const value_path& path) {
    bool valid = true;
    if (rules.length.least != 0 || rules.length.most != unlimited) {
        if (!spend(text.size() / 64)) {
            return false;
        }
        valid = check_size(rules.length, code_points(text), "minLength", "maxLength", "character", path);
    }
    if (rules.must_match && (valid || collecting())) {
        const std::optional<bool> found = rules.must_match->found_in(text, steps_);
        gave_up_ = gave_up_ || !found;
        if (found == false) {
            valid = refuse(path, "pattern", [&] { return "must match the pattern " + in_quotes(rules.pattern_text); });
        }
    }
    if (rules.format != nullptr && (valid || collecting())) {
        if (!spend(1 + text.size() / 16)) {
            return false;
        }
        if (!rules.format->accepts(text)) {
            valid = refuse(path, "format", [&] { return "must be " + std::string(rules.format->description); });
        }
    }
    return valid && !gave_up_;
}

bool evaluation::check_size(const size_range& limits, std::uint64_t size, std::string_view minimum, std::string_view maximum,
                            std::string_view noun, const value_path& path) {
    const auto but_has = [size] { return ", not " + std::to_string(size); };
    if (size < limits.least) {
        return refuse(path, minimum, [&] { return must_have("least", limits.least, noun) + but_has(); });
    }
    return size <= limits.most || refuse(path, maximum, [&] { return must_have("most", limits.most, noun) + but_has(); });
}

bool evaluation::check_apart(std::vector<schema_error>* apart, node_index at, const json& value, const value_path& path, bool annotate) {
    std::vector<schema_error>* const saved = std::exchange(errors_, errors_ != nullptr ? apart : nullptr);
    const bool matched = check(at, value, path, annotate);
    errors_ = saved;
    return matched;
}

bool evaluation::sort_log(std::size_t mark, std::size_t values) {
    if (!spend(log_.size() - mark + values)) {
        return false;
    }
    std::sort(log_.begin() + static_cast<std::ptrdiff_t>(mark), log_.end(), std::less<>());
    return true;
}

bool evaluation::logged(std::size_t mark, const json& value) const {
    return std::binary_search(log_.begin() + static_cast<std::ptrdiff_t>(mark), log_.end(), &value, std::less<>());
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
