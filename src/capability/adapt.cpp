#include <pyaichat/capability/adapt.hpp>

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI {

std::vector<capability_spec> prefix::adapt(std::span<const capability_spec> offered) const {
    std::vector<capability_spec> adapted(offered.begin(), offered.end());
    for (capability_spec& one : adapted) {
        one.name.insert(0, text);
    }
    return adapted;
}

std::string prefix::inner_name(std::string_view name) const {
    PYAICHAT_ASSERT(name.starts_with(text), "a source is called only by the names that it declares");
    return std::string(name.substr(std::min(text.size(), name.size())));
}

std::vector<capability_spec> only::adapt(std::span<const capability_spec> offered) const {
    std::vector<capability_spec> kept;
    std::vector<std::string> there;
    for (const capability_spec& one : offered) {
        there.push_back(one.name);
        if (std::find(names_.begin(), names_.end(), one.name) != names_.end()) {
            kept.push_back(one);
        }
    }
    for (const std::string& name : names_) {
        if (std::find(there.begin(), there.end(), name) == there.end()) {
            const std::string_view nearest = detail::nearest_name(name, there);
            // A text in place of the schema is why there is none: declaring it fails with that text.
            kept.push_back({.name = name,
                            .description = "Named by `only`.",
                            .parameters = "`only` names it, but its source does not declare it" +
                                          (nearest.empty() ? std::string() : "; did you mean `" + std::string(nearest) + "`?"),
                            .origin = "only"});
        }
    }
    return kept;
}

std::vector<capability_spec> timeout::adapt(std::span<const capability_spec> offered) const {
    std::vector<capability_spec> adapted(offered.begin(), offered.end());
    for (capability_spec& one : adapted) {
        one.timeout = span;
    }
    return adapted;
}

namespace detail {

std::vector<call_decision> stricter(std::vector<call_decision> first, std::vector<call_decision> second, std::size_t calls) {
    // Who decides about fewer calls than there are has denied the rest.
    const auto missing = call_decision::deny("its approval policy did not decide about it");
    first.resize(calls, missing);
    second.resize(calls, missing);
    for (std::size_t i = 0; i < calls; ++i) {
        if (second[i].what > first[i].what) {
            first[i] = std::move(second[i]);
        }
    }
    return first;
}

}  // namespace detail

}  // namespace pyaichat::inline PYAICHAT_ABI
