#include <pyaichat/policy/borrow.hpp>

#include <pyaichat/capability/any_capabilities.hpp>
#include <pyaichat/policy/approval_policy.hpp>
#include <pyaichat/policy/run_clock.hpp>
#include <pyaichat/policy/run_hooks.hpp>
#include <pyaichat/policy/run_journal.hpp>
#include <pyaichat/policy/task_executor.hpp>
#include <pyaichat/provider/any_provider.hpp>
#include <pyaichat/runtime/steady_clock.hpp>
#include <pyaichat/testing/manual_clock.hpp>
#include <pyaichat/testing/manual_executor.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace {

// A borrowed policy models what its target models, and nothing else.
static_assert(ai::model_provider<ai::borrowed<fake::scripted_provider>>);
static_assert(!ai::capability_source<ai::borrowed<fake::scripted_provider>>);
static_assert(ai::capability_source<ai::borrowed<ai::any_capabilities>>);
static_assert(!ai::model_provider<ai::borrowed<ai::any_capabilities>>);
static_assert(ai::run_clock<ai::borrowed<fake::manual_clock>> && !ai::is_real_time<ai::borrowed<fake::manual_clock>>);
static_assert(ai::is_real_time<ai::borrowed<ai::steady_clock>>);
static_assert(ai::task_executor<ai::borrowed<fake::manual_executor>>);
static_assert(!ai::task_executor<ai::borrowed<fake::manual_clock>>);

static_assert(ai::approval_policy<ai::borrowed<ai::no_approval_policy>> && !ai::run_journal<ai::borrowed<ai::no_approval_policy>>);
static_assert(ai::run_journal<ai::borrowed<ai::no_journal>> && !ai::run_hooks<ai::borrowed<ai::no_journal>>);
static_assert(ai::run_hooks<ai::borrowed<ai::no_hooks>> && !ai::detail::hooks_before_call<ai::borrowed<ai::no_hooks>>);
static_assert(!ai::async_model_provider<ai::borrowed<ai::no_provider>>);
static_assert(ai::model_provider<ai::borrowed<ai::any_provider>> && ai::async_model_provider<ai::borrowed<ai::any_provider>>);
static_assert(!ai::detail::reviews<ai::borrowed<ai::no_capabilities>>);

// What cannot be moved can be lent.
struct stays {
    stays(stays&&) = delete;
    ai::result<ai::model_response> complete(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&);
};
static_assert(!ai::model_provider<stays>);
static_assert(ai::model_provider<ai::borrowed<stays>>);

}  // namespace
