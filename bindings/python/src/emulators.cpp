#include <pyaichat/testing/gemini_emulator.hpp>
#include <pyaichat/testing/gemini_script.hpp>

#include "emulators.hpp"
#include "errors.hpp"
#include "gil.hpp"
#include "json_values.hpp"

#include <utility>

namespace bindings {

namespace {

namespace testing = ai::testing;

/// The emulator with a script. Its calls join threads, so none of them holds the GIL.
class emulator {
public:
    explicit emulator(const std::string& script) {
        testing::gemini_script parsed = value_or_raise(testing::parse_gemini_script(script));
        const without_gil released;
        server_ = std::make_unique<testing::gemini_emulator>(testing::gemini_emulator_options{.service = std::move(parsed.service)});
        for (testing::gemini_reply& each : parsed.replies) {
            server_->enqueue(std::move(each));
        }
        if (parsed.otherwise) {
            server_->otherwise([reply = *parsed.otherwise](const testing::recorded_request&) { return reply; });
        }
    }
    void stop() {
        const without_gil released;
        server_.reset();
    }
    ~emulator() { stop(); }
    emulator(const emulator&) = delete;
    emulator& operator=(const emulator&) = delete;

    void add(const std::string& script) {
        for (testing::gemini_reply& each : value_or_raise(testing::parse_gemini_script(script)).replies) {
            server().enqueue(std::move(each));
        }
    }
    [[nodiscard]] std::string base_url() const { return server().base_url(); }
    [[nodiscard]] std::size_t replies_left() const { return server().replies_left(); }
    [[nodiscard]] py::list requests() const {
        py::list out;
        for (const testing::recorded_request& each : server().requests()) {
            py::dict request;
            request["method"] = to_str(each.method);
            request["path"] = to_str(each.path);
            request["body"] = to_python(each.body);
            request["refused"] = each.refusal.has_value();
            out.append(request);
        }
        return out;
    }

private:
    [[nodiscard]] testing::gemini_emulator& server() const {
        if (!server_) {
            raise("Error", {.message = "the emulator was stopped"});
        }
        return *server_;
    }

    std::unique_ptr<testing::gemini_emulator> server_;
};

}  // namespace

void add_emulators(py::module_& module) {
    py::class_<emulator>(module, "GeminiEmulator")
        .def(py::init<const std::string&>())
        .def("add", &emulator::add)
        .def("stop", &emulator::stop)
        .def_property_readonly("base_url", &emulator::base_url)
        .def_property_readonly("replies_left", &emulator::replies_left)
        .def("requests", &emulator::requests);
}

}  // namespace bindings
