#pragma once
#include <pyaichat/message/capability_spec.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// A call that the model proposes, for those who decide whether it may run. The arguments fit the declaration.
struct proposed_call {
    std::uint64_t number = 0;  ///< counts the calls of the run, from 1; 0 for a nested call that is shown for the first time
    std::string id = {};       ///< from the service; empty if it sent none
    std::string name = {};
    json arguments = json::object();
    pyaichat::effects effects = pyaichat::effects::once;
    provenance from = provenance::host;
    std::string origin = {};  ///< who declares the capability, as in `capability_spec::origin`
};

/// The decision of an approval policy or a hook about a proposed call. The kinds are sorted by strictness.
struct call_decision {
    enum class kind : unsigned char {
        abstain,  ///< no decision; if all abstain, the provenance and effects of the capability decide
        allow,
        change,  ///< allow, with other arguments
        ask,     ///< a person decides: the run pauses until it is resumed
        deny,
    };

    kind what = kind::abstain;
    json arguments = {};      ///< the new arguments, with `change` or `ask`; validated again
    std::string reason = {};  ///< with `deny` for the model, with `ask` for the person

    /// Lets the call run. Does not override a stricter decision of another policy.
    [[nodiscard]] static call_decision allow() { return {.what = kind::allow}; }
    /// Lets the call run with other arguments.
    [[nodiscard]] static call_decision allow_with(json arguments) { return {.what = kind::change, .arguments = std::move(arguments)}; }
    /// Pauses the run until a person decides. The person reads `reason`.
    [[nodiscard]] static call_decision ask(std::string reason = {}) { return {.what = kind::ask, .reason = std::move(reason)}; }
    /// Refuses the call. The model reads `reason`.
    [[nodiscard]] static call_decision deny(std::string reason) { return {.what = kind::deny, .reason = std::move(reason)}; }

    friend bool operator==(const call_decision&, const call_decision&) = default;
};

/// Returns the name of the enumerator, such as "allow".
[[nodiscard]] std::string_view to_string(call_decision::kind value) noexcept;

/// Merges two decisions about the same call: the stricter decision wins. If both deny, the reason of `first` is kept. If one changes the
/// arguments and the other asks, the person is asked about the changed arguments. Two reasons to ask are joined. If both change the
/// arguments in different ways, the call is denied.
[[nodiscard]] call_decision merge(call_decision first, call_decision second);

/// A call that waits for the decision of a person, or, if its capability has suspended it, for its reply.
struct pending_call {
    proposed_call call = {};
    std::string reason = {};  ///< why the person is asked, or what the call waits for; may be empty
    bool suspended = false;   ///< it runs outside of the program: pass its reply to `run::resume`
};

/// The decision of a person about the call with the number `call`. `ask` and `abstain` leave the call pending.
struct call_ruling {
    std::uint64_t call = 0;
    call_decision decision = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI
