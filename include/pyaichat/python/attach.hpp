#pragma once
#include <pyaichat/policy/capability_source.hpp>

#include <memory>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python {

namespace detail {
class attached_memory;
}

/// Another process with CPython, whose memory is read. Models `capability_source` with `list_globals get_type get_repr inspect get_stack
/// situation` about its `__main__`. A cheap handle: copies share the process. Nothing in the process is stopped or written, so every result
/// has `"best_effort": true`, and values that change while they are read are shown as `<changing>`. Sub-interpreters are ignored.
class attached_process {
public:
    [[nodiscard]] result<capability_list> specs() const;
    /// Reads for about 20 ms at most, on the calling thread.
    void invoke(const capability_call& call, capability_responder responder);

    /// The process and its program, for a person: `process 4711 (/usr/bin/python3.13)`.
    [[nodiscard]] std::string name() const;

private:
    friend result<attached_process> attach(long process);
    explicit attached_process(std::shared_ptr<detail::attached_memory> memory);
    std::shared_ptr<detail::attached_memory> memory_;
};

/// Finds Python in another process. Works on Linux, for 64-bit processes with the standard build of CPython 3.13, of the same user or with
/// the permission to trace them (ptrace).
///
/// Fails with `not_found` if the process does not exist or has no Python, with `not_allowed` if the system forbids reading its memory or
/// its Python is not supported. The hint says what to do.
[[nodiscard]] result<attached_process> attach(long process);

}  // namespace pyaichat::inline PYAICHAT_ABI::python
