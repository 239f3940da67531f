#include <pyaichat/capability/detail/derived_list.hpp>

#include <algorithm>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

result<capability_list> derived_list::update(std::vector<result<capability_list>> declared, const derivation& make) {
    const auto failed = std::find_if(declared.begin(), declared.end(), [](const auto& list) { return !list; });
    if (failed != declared.end()) {
        return std::move(failed->error());
    }
    if (!made_ || !std::equal(declared.begin(), declared.end(), parts_.begin(), parts_.end(),
                              [](const auto& list, const capability_list& part) { return *list == part; })) {
        parts_.clear();
        for (result<capability_list>& list : declared) {
            parts_.push_back(*std::move(list));
        }
        made_ = make ? make(parts_) : derive(parts_);
    }
    return *made_;
}

std::optional<std::size_t> derived_list::owner_of(std::string_view name) const noexcept {
    const auto owner = std::find_if(parts_.begin(), parts_.end(), [&](const capability_list& part) { return part.find(name) != nullptr; });
    return owner != parts_.end() ? std::optional(static_cast<std::size_t>(owner - parts_.begin())) : std::nullopt;
}

void joined_review::ask(const capability_list& declared,
                        const std::function<std::vector<call_decision>(std::span<const proposed_call>)>& review) {
    std::vector<proposed_call> own;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < batch_.size(); ++i) {
        if (declared.find(batch_[i].name) != nullptr) {
            own.push_back(batch_[i]);
            places.push_back(i);
        }
    }
    if (own.empty()) {
        return;
    }
    std::vector<call_decision> decided = review(own);
    decided.resize(own.size(), call_decision::deny("its source did not decide about it"));
    for (std::size_t i = 0; i < places.size(); ++i) {
        decisions_[places[i]] = std::move(decided[i]);
    }
}

capability_reply no_longer_declared(std::string_view name) {
    return reply_error(reply_code::unknown_function, "`" + std::string(name) + "` is no longer available");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
