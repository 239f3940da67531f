#include <pyaichat/capability/detail/joined_specs.hpp>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

std::uint64_t next_revision() noexcept {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

void joined_specs::begin() noexcept {
    count_ = 0;
    source_ = 0;
}

void joined_specs::add(std::span<const capability_spec> offered, std::uint64_t revision) {
    const source added{.revision = revision, .from = count_};
    if (source_ == sources_.size()) {
        sources_.emplace_back();
    }
    const bool same = std::exchange(sources_[source_++], added) == added && revision != 0;
    if (same && count_ + offered.size() <= specs_.size()) {  // not cut off by a change before it
        count_ += offered.size();
        return;
    }
    for (const capability_spec& spec : offered) {
        if (count_ == specs_.size() || specs_[count_] != spec) {
            specs_.resize(count_);
            specs_.push_back(spec);
            revision_ = next_revision();
        }
        ++count_;
    }
}

std::span<const capability_spec> joined_specs::finish() {
    if (specs_.size() != count_) {
        specs_.resize(count_);
        revision_ = next_revision();
    }
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

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
