#pragma once
#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A number that no other call gives.
[[nodiscard]] std::uint64_t next_revision() noexcept;

/// A source that says by a number whether what `specs`, called before, returned is what it returned when the number was the same.
template <class S>
concept has_revision = requires(const S& source) {
    { source.specs_revision() } -> std::same_as<std::uint64_t>;
};

/// 0 = it does not say.
template <class S>
[[nodiscard]] std::uint64_t revision_of(const S& source) noexcept {
    if constexpr (has_revision<S>) {
        return source.specs_revision();
    } else {
        return 0;
    }
}

/// The declarations of several sources as the one array that `specs` has to give. Those that have not changed are not copied again.
class joined_specs {
public:
    void begin() noexcept;
    /// What a source offers, which has `revision` if it is one that says so.
    void add(std::span<const capability_spec> offered, std::uint64_t revision = 0);
    [[nodiscard]] std::span<const capability_spec> finish();

    /// Adds what a source offers now.
    template <class S>
    void add_source(const S& from) {
        const std::span<const capability_spec> offered = from.specs();  // first: its revision is that of what this has found
        add(offered, revision_of(from));
    }

    /// Another number whenever something has changed, that no other object of this type has had; 0 = none yet.
    [[nodiscard]] std::uint64_t specs_revision() const noexcept { return revision_; }

private:
    struct source {
        std::uint64_t revision = 0;
        std::size_t from = 0;
        friend bool operator==(const source&, const source&) = default;
    };

    std::vector<capability_spec> specs_;
    std::size_t count_ = 0;
    std::vector<source> sources_;  ///< of the last time
    std::size_t source_ = 0;
    std::uint64_t revision_ = 0;
};

/// The decisions about a batch whose calls belong to several sources: each is asked about its own. A call of a source without an opinion,
/// or of none, is left undecided; one that its source leaves out is denied.
class joined_review {
public:
    explicit joined_review(std::span<const proposed_call> batch) : batch_(batch), decisions_(batch.size()) {}

    template <class S>
    void ask(S& source) {
        if constexpr (has_review<S>()) {
            ask(std::as_const(source).specs(), [&](std::span<const proposed_call> own) { return source.review(own); });
        }
    }
    void ask(std::span<const capability_spec> specs, unique_function<std::vector<call_decision>(std::span<const proposed_call>)> review);

    [[nodiscard]] std::vector<call_decision> decisions() && { return std::move(decisions_); }

private:
    std::span<const proposed_call> batch_;
    std::vector<call_decision> decisions_;
};

[[nodiscard]] const capability_spec* find_spec(std::span<const capability_spec> specs, std::string_view name) noexcept;

/// For a call whose declaration was withdrawn before it ran.
[[nodiscard]] capability_reply no_longer_declared(std::string_view name);

/// Passes a call on to the source that declares it; false when this one does not.
template <class S>
[[nodiscard]] bool invoked_by(S& source, const capability_call& call, capability_responder& responder) {
    if (find_spec(std::as_const(source).specs(), call.name) == nullptr) {
        return false;
    }
    source.invoke(call, std::move(responder));
    return true;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
