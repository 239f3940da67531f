#pragma once
#include "python/interpreter/audit_guard.hpp"
#include "python/look/adapter.hpp"
#include "python/session/session_state.hpp"

#include <pyaichat/message/capability_reply.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// What holds while objects are looked at without running code: the collector rests, nothing reaches out of the interpreter, and the
/// types of the host are known. For Python's thread, with the GIL held.
class structural_scope {
public:
    explicit structural_scope(session_state& session) : guard_(audit_mode::look), adapters_(&session.python().host_types()) {}
    ~structural_scope() { PyErr_Clear(); }
    structural_scope(const structural_scope&) = delete;
    structural_scope& operator=(const structural_scope&) = delete;

    /// Adds the tier to a reply of a structural look: 1 if an adapter was used, otherwise what the reply says, or 0. (The details of wrong
    /// arguments are a list.)
    void mark(capability_reply& reply) const {
        if (json& target = reply.ok() ? reply.result : reply.details; !target.is_array()) {
            target["tier"] = adapters_.used() ? 1 : integer_member(target, "tier").value_or(0);
            target["ran_user_code"] = false;
        }
    }

private:
    collector_pause paused_;
    audit_guard guard_;
    adapter_use adapters_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
