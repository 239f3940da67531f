#pragma once
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/capability_list.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Caches a list that is derived from the lists of sources. It stays the same object while the sources return the same objects.
class derived_list {
public:
    using derivation = std::function<result<capability_list>(std::span<const capability_list>)>;

    /// Returns the list that `make` derives from those of the sources (default: joined). Fails like the first failed source, or like
    /// `make`.
    [[nodiscard]] result<capability_list> update(std::vector<result<capability_list>> declared, const derivation& make = {});

    /// Returns whether `update` has succeeded or `make` has failed before.
    [[nodiscard]] bool known() const noexcept { return made_.has_value(); }
    /// Returns the declarations of the source with this index, as of the last update.
    [[nodiscard]] capability_list part(std::size_t index) const { return index < parts_.size() ? parts_[index] : capability_list(); }
    /// Returns the index of the source that declared `name`, as of the last update.
    [[nodiscard]] std::optional<std::size_t> owner_of(std::string_view name) const noexcept;

private:
    std::vector<capability_list> parts_;
    std::optional<result<capability_list>> made_;
};

/// Collects the decisions about a batch whose calls belong to several sources: each source reviews the calls that it declares. A call to a
/// source without `review` gets `abstain`. A call that its source does not decide about is denied.
class joined_review {
public:
    explicit joined_review(std::span<const proposed_call> batch) : batch_(batch), decisions_(batch.size()) {}

    template <class S>
    void ask(S& source, const capability_list& declared) {
        if constexpr (has_review<S>()) {
            ask(declared, [&](std::span<const proposed_call> own) { return source.review(own); });
        }
    }
    void ask(const capability_list& declared, const std::function<std::vector<call_decision>(std::span<const proposed_call>)>& review);

    [[nodiscard]] std::vector<call_decision> decisions() && { return std::move(decisions_); }

private:
    std::span<const proposed_call> batch_;
    std::vector<call_decision> decisions_;
};

/// Returns the reply to a call whose declaration was withdrawn before the call ran.
[[nodiscard]] capability_reply no_longer_declared(std::string_view name);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
