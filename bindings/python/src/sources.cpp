#include "sources.hpp"

#include "errors.hpp"
#include "gil.hpp"
#include "json_values.hpp"
#include "messages.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace bindings {

namespace {

std::vector<ai::capability_spec> specs_from_python(const py::list& specs) {
    std::vector<ai::capability_spec> out;
    for (const py::handle each : specs) {
        const auto spec = py::reinterpret_borrow<py::dict>(each);
        ai::capability_spec made{.name = text_of(spec["name"]),
                                 .description = text_of(spec["description"]),
                                 .parameters = from_python(spec["parameters"]),
                                 .origin = text_of(spec["origin"])};
        const std::string effects = text_of(spec["effects"]);
        made.effects = effects == "read" ? ai::effects::read : effects == "idempotent" ? ai::effects::idempotent : ai::effects::once;
        if (!spec["timeout"].is_none()) {
            made.timeout = std::chrono::duration_cast<ai::duration>(std::chrono::duration<double>(spec["timeout"].cast<double>()));
        }
        out.push_back(std::move(made));
    }
    return out;
}

/// Takes the reply to a call, on any thread of Python.
class python_responder {
public:
    python_responder(ai::capability_responder responder, ai::cancel_token cancel, std::shared_ptr<const waker> wake)
        : responder_(std::move(responder)), cancel_(std::move(cancel)), wake_(std::move(wake)) {}

    /// Returns whether nothing was replied before.
    bool reply(const py::dict& envelope) {
        ai::capability_reply made = reply_from_python(envelope);
        if (replied_.exchange(true)) {
            return false;
        }
        responder_(std::move(made));
        notify();
        return true;
    }
    void output(py::handle text) const {
        responder_.output(text_of(text));
        notify();
    }
    [[nodiscard]] bool cancelled() const noexcept { return cancel_.stop_requested(); }

private:
    void notify() const {
        if (wake_) {
            wake_->notify();
        }
    }

    ai::capability_responder responder_;
    ai::cancel_token cancel_;
    std::shared_ptr<const waker> wake_;
    std::atomic<bool> replied_ = false;
};

}  // namespace

ai::result<ai::capability_list> python_source::specs() const {
    if (!describe_) {
        return list_;
    }
    const with_gil held;
    try {
        ai::result<ai::capability_list> now = ai::declare(specs_from_python(describe_.get()()), list_);
        if (now) {
            list_ = *now;
        }
        return now;
    } catch (const py::error_already_set& error) {
        return ai::failure{.code = ai::errc::internal, .message = std::string("`specs` raised ") + line_of(error)};
    }
}

void python_source::invoke(const ai::capability_call& call, ai::capability_responder responder) {
    const with_gil held;
    keeping_interrupts(
        [&] { invoke_.get()(call_to_python(call), std::make_shared<python_responder>(std::move(responder), call.cancel, wake_)); });
}

void add_sources(py::module_& module) {
    py::class_<declared_functions, std::shared_ptr<declared_functions>>(module, "Functions").def(py::init([](const py::list& specs) {
        return std::make_shared<declared_functions>(declared_functions{value_or_raise(ai::declare(specs_from_python(specs)))});
    }));
    const py::class_<host_source, std::shared_ptr<host_source>> base(module, "HostSource");
    py::class_<python_responder, std::shared_ptr<python_responder>>(module, "Responder")
        .def("reply", &python_responder::reply)
        .def("output", &python_responder::output)
        .def_property_readonly("cancelled", &python_responder::cancelled);
}

}  // namespace bindings
