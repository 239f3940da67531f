#pragma once
#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace pyaichat::inline v0::detail {

/// The declarations of several sources as the one array that `specs` has to give. Those that have not changed are not copied again.
class joined_specs {
public:
    void begin() noexcept { count_ = 0; }
    void add(std::span<const capability_spec> offered);
    [[nodiscard]] std::span<const capability_spec> finish();

private:
    std::vector<capability_spec> specs_;
    std::size_t count_ = 0;
};

/// The decisions about a batch whose calls belong to several sources: each is asked about its own. A call of a source without an opinion,
/// or of none, is left undecided; one that its source leaves out is denied.
class joined_review {
public:
    explicit joined_review(std::span<const proposed_call> batch) : batch_(batch), decisions_(batch.size()) {}

    template <class S>
    void ask(S& source) {
        if constexpr (reviews<S>) {
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

}  // namespace pyaichat::inline v0::detail
