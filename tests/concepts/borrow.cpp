#include <pyaichat/policy/borrow.hpp>

#include <pyaichat/capability/any_capabilities.hpp>
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

// What cannot be moved can be lent.
struct stays {
    stays(stays&&) = delete;
    ai::result<ai::model_response> complete(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&);
};
static_assert(!ai::model_provider<stays>);
static_assert(ai::model_provider<ai::borrowed<stays>>);

}  // namespace
