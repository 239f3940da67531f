#include <pyaichat/capability/detail/joined_specs.hpp>

#include <algorithm>
#include <string>

namespace pyaichat::inline v0::detail {

void joined_specs::add(std::span<const capability_spec> offered) {
    for (const capability_spec& spec : offered) {
        if (count_ == specs_.size() || specs_[count_] != spec) {
            specs_.resize(count_);
            specs_.push_back(spec);
        }
        ++count_;
    }
}

std::span<const capability_spec> joined_specs::finish() {
    specs_.resize(count_);
    return specs_;
}

void joined_review::ask(std::span<const capability_spec> specs,
                        unique_function<std::vector<call_decision>(std::span<const proposed_call>)> review) {
    std::vector<proposed_call> own;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < batch_.size(); ++i) {
        if (find_spec(specs, batch_[i].name) != nullptr) {
            own.push_back(batch_[i]);
            places.push_back(i);
        }
    }
    if (own.empty()) {
        return;
    }
    std::vector<call_decision> decided = review(own);
    for (std::size_t i = 0; i < places.size(); ++i) {
        decisions_[places[i]] = i < decided.size() ? std::move(decided[i]) : call_decision::deny("its source did not decide about it");
    }
}

const capability_spec* find_spec(std::span<const capability_spec> specs, std::string_view name) noexcept {
    const auto at = std::find_if(specs.begin(), specs.end(), [&](const capability_spec& one) { return one.name == name; });
    return at != specs.end() ? &*at : nullptr;
}

capability_reply no_longer_declared(std::string_view name) {
    return reply_error(reply_code::unknown_function, "there is no `" + std::string(name) + "` any more");
}

}  // namespace pyaichat::inline v0::detail
