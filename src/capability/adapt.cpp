#include <pyaichat/capability/adapt.hpp>

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI {

result<capability_list> prefix::adapt(const capability_list& offered) const {
    return derive({&offered, 1}, [&](capability_spec& spec) {
        spec.name.insert(0, text);
        return true;
    });
}

std::string prefix::inner_name(std::string_view name) const {
    PYAICHAT_ASSERT(name.starts_with(text), "a source is called only by the names that it declares");
    return std::string(name.substr(std::min(text.size(), name.size())));
}

result<capability_list> only::adapt(const capability_list& offered) const {
    for (const std::string& name : names_) {
        if (offered.find(name) == nullptr) {
            std::vector<std::string> known;
            for (const capability_spec& spec : offered) {
                known.push_back(spec.name);
            }
            const std::string_view nearest = detail::nearest_name(name, known);
            return failure{
                .code = errc::invalid_argument,
                .message = "`only` names the capability `" + name + "`, but its source does not declare it",
                .hint = nearest.empty() ? "Declare it, or remove it from `only`." : "Did you mean `" + std::string(nearest) + "`?"};
        }
    }
    return derive({&offered, 1},
                  [&](const capability_spec& spec) { return std::find(names_.begin(), names_.end(), spec.name) != names_.end(); });
}

result<capability_list> timeout::adapt(const capability_list& offered) const {
    return derive({&offered, 1}, [&](capability_spec& spec) {
        spec.timeout = span;
        return true;
    });
}

namespace detail {

std::vector<call_decision> merge_all(std::vector<call_decision> first, std::vector<call_decision> second, std::size_t calls) {
    const auto missing = call_decision::deny("its approval policy did not decide about it");
    first.resize(calls, missing);
    second.resize(calls, missing);
    for (std::size_t i = 0; i < calls; ++i) {
        first[i] = merge(std::move(first[i]), std::move(second[i]));
    }
    return first;
}

}  // namespace detail

}  // namespace pyaichat::inline PYAICHAT_ABI
