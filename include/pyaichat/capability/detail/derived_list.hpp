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

/// Remembers a list that was derived from the lists of one or more sources. While these declare the same objects, it stays the same object.
class derived_list {
public:
    using derivation = std::function<result<capability_list>(std::span<const capability_list>)>;

    /// The list that `make` derives from what the sources have just declared. Fails like the first source that failed, or like `make`.
    [[nodiscard]] result<capability_list> update(std::vector<result<capability_list>> declared, const derivation& make);
    /// The same for lists that are joined.
    [[nodiscard]] result<capability_list> update(std::vector<result<capability_list>> declared);

    /// Whether the sources have been asked.
    [[nodiscard]] bool known() const noexcept { return made_.has_value(); }
    /// What the source in this place declared when it was last asked.
    [[nodiscard]] capability_list part(std::size_t place) const { return place < parts_.size() ? parts_[place] : capability_list(); }
    /// The place of the source that declared `name` then.
    [[nodiscard]] std::optional<std::size_t> owner_of(std::string_view name) const noexcept;

private:
    std::vector<capability_list> parts_;
    std::optional<result<capability_list>> made_;
};

/// The decisions about a batch whose calls belong to several sources: each source reviews its own calls. A call of a source without a
/// `review` is left undecided; a call that its source leaves out is denied.
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

/// The reply to a call whose declaration was withdrawn before it ran.
[[nodiscard]] capability_reply no_longer_declared(std::string_view name);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
