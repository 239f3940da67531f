#include <pyaichat/capability/arg.hpp>

#include <pyaichat/capability/detail/arg_rules.hpp>

#include <algorithm>
#include <cmath>

namespace pyaichat::inline PYAICHAT_ABI {

result<json> arg_value::in_units(long double unit, bool whole) const {
    if (!value_) {
        return failure{.code = errc::invalid_argument, .message = "has no value"};
    }
    if (!seconds_) {
        return *value_;
    }
    if (unit == 0) {
        return failure{.code = errc::invalid_argument, .message = "is a duration, but the parameter is not"};
    }
    const long double count = *seconds_ / unit;
    const long double rounded = std::round(count);
    const bool is_whole = std::abs(count - rounded) <= std::abs(count) * 1e-15L;
    if (!whole) {
        return json(static_cast<double>(is_whole ? rounded : count));
    }
    if (!is_whole || std::abs(rounded) >= 9e18L) {
        return failure{.code = errc::invalid_argument, .message = "is not a whole number in the unit of the parameter"};
    }
    return json(static_cast<std::int64_t>(rounded));
}

namespace detail {

namespace {

failure misfit_of_arg(std::string_view capability, std::string_view parameter, const std::string& what) {
    return {.code = errc::invalid_argument,
            .message = "the parameter `" + std::string(parameter) + "` of `" + std::string(capability) + "`: " + what,
            .hint = "Correct its pyaichat::arg."};
}

/// Returns the limits of a parameter as a schema, which is empty if there are none.
result<json> limits_of_arg(const arg& declared, const parameter_traits& type) {
    json limits = json::object();
    const auto wrong = [](std::string what) { return failure{.code = errc::invalid_argument, .message = std::move(what)}; };
    const auto add_bound = [&](const char* keyword, const arg_value& bound) -> result<void> {
        if (bound.has_value()) {
            result<json> value = bound.in_units(type.unit, false);
            if (!value || !value->is_number()) {
                return wrong("its " + std::string(keyword) + " " + (value ? "is not a number" : value.error().message));
            }
            limits[keyword] = std::move(*value);
        }
        return {};
    };
    for (const auto& [keyword, bound] : {std::pair("minimum", &declared.minimum), std::pair("maximum", &declared.maximum)}) {
        if (const result<void> added = add_bound(keyword, *bound); !added) {
            return added.error();
        }
    }
    if (!limits.empty() && !type.is_measure) {
        return wrong("only a number or a duration has a range");
    }
    if (limits.size() == 2 && limits["minimum"] > limits["maximum"]) {
        return wrong("its range is empty, because the minimum is above the maximum");
    }
    if ((declared.shortest || declared.longest || !declared.pattern.empty()) && !type.is_text) {
        return wrong("only a text has a length or a pattern");
    }
    if (declared.shortest) {
        limits["minLength"] = *declared.shortest;
    }
    if (declared.longest) {
        limits["maxLength"] = *declared.longest;
    }
    if (!declared.pattern.empty()) {
        limits["pattern"] = declared.pattern;
        if (const result<compiled_schema> compiled = compile_schema(limits); !compiled) {
            return wrong(compiled.error().message);
        }
    }
    return limits;
}

}  // namespace

result<arg_rules> arg_rules::make(std::string_view capability, std::span<const arg> args, std::span<const parameter_traits> types,
                                  json& schema) {
    arg_rules rules;
    json all_limits = json::object();
    for (std::size_t i = 0; i < args.size(); ++i) {
        const arg& declared = args[i];
        if (std::count_if(args.begin(), args.end(), [&](const arg& other) { return other.name == declared.name; }) > 1) {
            return failure{.code = errc::invalid_argument,
                           .message = "two parameters of `" + std::string(capability) + "` are called `" + declared.name + "`",
                           .hint = "Give each pyaichat::arg a name of its own."};
        }
        json& property = schema["properties"][declared.name];
        result<json> limits = limits_of_arg(declared, types[i]);
        if (!limits) {
            return misfit_of_arg(capability, declared.name, limits.error().message);
        }
        property.update(*limits);
        if (!limits->empty()) {
            all_limits["properties"][declared.name] = std::move(*limits);
        }
        std::optional<json>& fallback = rules.fallbacks_.emplace_back();
        if (declared.fallback.has_value()) {
            result<json> value = declared.fallback.in_units(types[i].unit, types[i].is_whole);
            if (!value) {
                return misfit_of_arg(capability, declared.name, "its default value " + value.error().message);
            }
            fallback = *value;
            property["default"] = std::move(*value);
        }
    }
    if (all_limits.empty()) {
        return rules;
    }
    result<compiled_schema> compiled = compile_schema(all_limits);
    if (!compiled) {
        return compiled.error();
    }
    rules.limits_ = std::move(*compiled);
    json given = json::object();
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (rules.fallbacks_[i]) {
            given[args[i].name] = *rules.fallbacks_[i];
        }
    }
    if (const std::vector<schema_error> errors = rules.check(given); !errors.empty()) {
        return bad_default(capability, errors.front().path.substr(1), {{}, {}, errors.front().message});
    }
    return rules;
}

const json* arg_rules::fallback(std::size_t index) const noexcept {
    return index < fallbacks_.size() && fallbacks_[index] ? &*fallbacks_[index] : nullptr;
}

std::vector<schema_error> arg_rules::check(const json& arguments) const {
    return limits_ ? validate(*limits_, arguments) : std::vector<schema_error>();
}

failure bad_default(std::string_view capability, std::string_view parameter, const schema_error& why) {
    return misfit_of_arg(capability, parameter, "its default value" + (why.path.empty() ? "" : " at " + why.path) + " " + why.message);
}

}  // namespace detail

}  // namespace pyaichat::inline PYAICHAT_ABI
