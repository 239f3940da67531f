#include "sessions.hpp"

#include <pyaichat/python/interpreter.hpp>

#include "errors.hpp"
#include "gil.hpp"
#include "json_values.hpp"

#include <future>
#include <string>
#include <utility>
#include <vector>

namespace bindings {

namespace {

/// The interpreter of this process, adopted at the first use. Work runs inline, on the thread that pumps the run: it takes the GIL for
/// microseconds. Never destroyed: at the end of Python, a function in `atexit` lets go of it.
const ai::python::interpreter& adopted() {
    const ai::result<ai::python::interpreter>* made = nullptr;
    {
        // Threads that come at the same time wait for the first one, which needs the GIL meanwhile.
        const without_gil released;
        static const auto* const kept =
            new ai::result<ai::python::interpreter>(ai::python::interpreter::adopt({.post = [](ai::task work) { work(); }}));
        made = kept;
    }
    if (!*made) {
        raise("Error", made->error());
    }
    return **made;
}

ai::python::eval_policy policy_named(const std::string& name) {
    using ai::python::eval_policy;
    for (const eval_policy each : {eval_policy::structural, eval_policy::snapshot, eval_policy::ask, eval_policy::unrestricted}) {
        if (ai::python::to_string(each) == name) {
            // Where the platform has no snapshots, the default means the next stricter policy.
            return each == eval_policy::snapshot ? ai::python::default_eval_policy() : each;
        }
    }
    raise("ConfigurationError",
          {.message = "there is no eval_policy '" + name + "'", .hint = "Use 'structural', 'snapshot', 'ask' or 'unrestricted'."});
}

ai::python::values_policy values_named(const std::string& kind, std::size_t items) {
    return kind == "schema"   ? ai::python::values_policy::schema()
           : kind == "sample" ? ai::python::values_policy::sample(items)
                              : ai::python::values_policy::full();
}

/// Makes one call without a run, and returns the envelope of its reply. No model sees it.
py::object look(ai::python::session& self, const std::string& name, const py::dict& arguments) {
    const ai::capability_call call{.name = name, .arguments = from_python(arguments)};
    std::promise<ai::capability_reply> replied;
    std::future<ai::capability_reply> reply = replied.get_future();
    {
        const without_gil released;
        self.invoke(call, ai::capability_responder([&replied](ai::capability_reply made) { replied.set_value(std::move(made)); }));
        reply.wait();  // work of the adopted interpreter is inline, so the reply is there already
    }
    return to_python(reply.get().envelope());
}

}  // namespace

void add_sessions(py::module_& module) {
    py::class_<ai::python::session>(module, "Session")
        .def(py::init([](const std::string& name, const std::string& policy, const std::string& values, std::size_t items,
                         std::vector<std::string> hidden) {
                 return ai::python::session(adopted(), {.module = name,
                                                        .expressions = policy_named(policy),
                                                        .values = values_named(values, items),
                                                        .hidden = std::move(hidden)});
             }),
             py::arg("module"), py::arg("eval_policy"), py::arg("values"), py::arg("items"), py::arg("hidden"))
        .def("look", &look, py::arg("name"), py::arg("arguments"))
        .def("keep_exception",
             [](ai::python::session& self, py::handle error) { self.keep_exception(error.is_none() ? nullptr : error.ptr()); });
    py::class_<ai::python::attached_process>(module, "AttachedProcess")
        .def(py::init([](long process) {
            ai::result<ai::python::attached_process> made = ai::python::attach(process);
            if (!made) {
                raise("Error", made.error());
            }
            return *std::move(made);
        }))
        .def_property_readonly("name", [](const ai::python::attached_process& self) { return to_str(self.name()); });
}

}  // namespace bindings
