#pragma once
#include <pyaichat/agent/options.hpp>
#include <pyaichat/capability/any_capabilities.hpp>
#include <pyaichat/message/capability_list.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include "object_ref.hpp"
#include "waker.hpp"

#include <memory>

namespace bindings {

/// Capabilities that were declared in Python.
struct declared_functions {
    ai::capability_list list;
};

/// The functions of one run, or an object with `specs` and `invoke`. Models `capability_source`.
class python_source {
public:
    /// `invoke(call, responder)` runs a call, on the pumping thread with the GIL. It replies now or later.
    python_source(ai::capability_list list, object_ref invoke, std::shared_ptr<const waker> wake)
        : list_(std::move(list)), invoke_(std::move(invoke)), wake_(std::move(wake)) {}
    /// `describe()` returns the declarations, before each model call.
    python_source(object_ref describe, object_ref invoke, std::shared_ptr<const waker> wake)
        : describe_(std::move(describe)), invoke_(std::move(invoke)), wake_(std::move(wake)) {}

    [[nodiscard]] ai::result<ai::capability_list> specs() const;
    void invoke(const ai::capability_call& call, ai::capability_responder responder);

private:
    mutable ai::capability_list list_;
    object_ref describe_;
    object_ref invoke_;
    std::shared_ptr<const waker> wake_;
};

/// A source of the SDK that Python programs make once, and that each of their runs uses.
class host_source {
public:
    host_source() = default;
    virtual ~host_source() = default;
    host_source(const host_source&) = delete;
    host_source& operator=(const host_source&) = delete;

    /// Adds the source, and its hooks if it has any, to a run. `wake` may be null.
    [[nodiscard]] virtual ai::result<void> add_to(ai::any_capabilities& all, ai::agent_options& options,
                                                  const std::shared_ptr<const waker>& wake) = 0;
};

/// Registers `Functions`, `HostSource` and `Responder`.
void add_sources(py::module_& module);

}  // namespace bindings
