#pragma once
#include <pyaichat/provider/any_provider.hpp>

#include "object_ref.hpp"
#include "waker.hpp"

#include <memory>
#include <string>

namespace bindings {

/// A provider with its name, for `repr`.
struct named_provider {
    ai::any_provider provider;
    std::string name;
    ai::any_provider unpriced;  ///< `provider`, unless that adds costs to the responses
};

/// The provider of one run. Every attempt goes through `start`, so that the event loop that pumps the run is woken after its deltas and its
/// outcome have arrived.
class run_provider {
public:
    /// `wake` may be null.
    run_provider(ai::any_provider provider, std::shared_ptr<const waker> wake) : provider_(std::move(provider)), wake_(std::move(wake)) {}

    [[nodiscard]] bool takes_answer_schema(const ai::json& schema) const { return provider_.takes_answer_schema(schema); }
    [[nodiscard]] bool tells_cost() const noexcept { return provider_.tells_cost(); }
    void start(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel, ai::model_reply reply);

private:
    ai::any_provider provider_;
    std::shared_ptr<const waker> wake_;
};

/// Registers `Provider` and `Attempt`.
void add_providers(py::module_& module);

}  // namespace bindings
