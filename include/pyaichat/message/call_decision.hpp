#pragma once
#include <pyaichat/message/capability_spec.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// One call that a model proposes, as those see it who decide whether it may run. Its arguments fit its declaration.
struct proposed_call {
    std::uint64_t number = 0;  ///< of the call in its run, from 1
    std::string id = {};       ///< the service's id; empty when it sent none
    std::string name = {};
    json arguments = json::object();
    pyaichat::effects effects = pyaichat::effects::once;
    provenance from = provenance::host;
    std::string origin = {};  ///< who declares the capability
};

/// What an approval policy or a hook decides about a proposed call. The kinds are in the order of their strictness.
struct call_decision {
    enum class kind : unsigned char {
        abstain,  ///< no decision; if nobody decides, the provenance and the effects of the capability do
        allow,
        change,  ///< allow, with other arguments
        ask,     ///< ask a person: the run pauses until it is resumed
        deny,
    };

    kind what = kind::abstain;
    json arguments = {};      ///< with `change`, or what a person is asked about with `ask`; validated again
    std::string reason = {};  ///< of `deny`: the model reads it; of `ask`: the person

    [[nodiscard]] static call_decision allow() { return {.what = kind::allow}; }
    [[nodiscard]] static call_decision allow_with(json arguments) { return {.what = kind::change, .arguments = std::move(arguments)}; }
    [[nodiscard]] static call_decision ask(std::string reason = {}) { return {.what = kind::ask, .reason = std::move(reason)}; }
    [[nodiscard]] static call_decision deny(std::string reason) { return {.what = kind::deny, .reason = std::move(reason)}; }

    friend bool operator==(const call_decision&, const call_decision&) = default;
};

[[nodiscard]] std::string_view to_string(call_decision::kind value) noexcept;

/// Merges two decisions about one call: the stricter one wins, and of two that deny, the first gives the reason. A person is asked about
/// the changed arguments, and reads every reason to ask. Two different changes contradict each other: the call is denied.
[[nodiscard]] call_decision merge(call_decision first, call_decision second);

/// A call that waits for a person.
struct pending_call {
    proposed_call call = {};
    std::string reason = {};  ///< why a person is asked; may be empty
};

/// What a person has decided about the call of this number. `ask` and no opinion leave it pending.
struct call_ruling {
    std::uint64_t call = 0;
    call_decision decision = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI
