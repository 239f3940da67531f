#pragma once
/// One Python for all tests of the program (there can be only one at a time), and calls that wait for their reply.
#include <pyaichat/core/json.hpp>
#include <pyaichat/python/session.hpp>

#include "catch.hpp"
#include "sanitized.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace bench {

namespace ai = pyaichat;
namespace py = pyaichat::python;
using namespace std::chrono_literals;
using support::sanitized;

inline std::optional<py::interpreter>& interpreter_slot() {
    static std::optional<py::interpreter> slot;
    return slot;
}

/// The interpreter that tests share, started when the first one asks for it.
inline py::interpreter& shared_python() {
    std::optional<py::interpreter>& slot = interpreter_slot();
    if (!slot) {
        ai::result<py::interpreter> started = py::interpreter::start();
        REQUIRE(started);
        slot.emplace(std::move(*started));
    }
    return *slot;
}

/// Ends the shared interpreter, for tests that need the place.
inline void end_shared_python() {
    interpreter_slot().reset();
}

inline ai::json parsed(const std::string& text) {
    ai::result<ai::json> value = ai::parse_json(text);
    REQUIRE(value);
    return *value;
}

/// One call and its reply; waits for it.
inline ai::capability_reply invoke(py::session& session, const std::string& name, ai::json arguments, ai::duration time_left = 20s) {
    auto promise = std::make_shared<std::promise<ai::capability_reply>>();
    std::future<ai::capability_reply> reply = promise->get_future();
    ai::capability_call call;
    call.name = name;
    call.arguments = std::move(arguments);
    call.time_left = time_left;
    session.invoke(call, ai::capability_responder([promise](ai::capability_reply value) { promise->set_value(std::move(value)); }));
    return reply.get();
}

inline ai::json about(const std::string& expression) {
    ai::json arguments = ai::json::object();
    arguments["expr"] = expression;
    return arguments;
}

/// Posts code and waits until it runs: what will come of it.
inline std::future<py::outcome> start(py::session& session, const std::string& code) {
    auto started = std::make_shared<std::promise<void>>();
    auto ended = std::make_shared<std::promise<py::outcome>>();
    std::future<py::outcome> outcome = ended->get_future();
    session.post("print('started')\n" + code,
                 {.output =
                      [started](py::output_stream, std::string_view text) {
                          if (text == "started") {
                              started->set_value();
                          }
                      }},
                 [ended](py::outcome value) { ended->set_value(std::move(value)); });
    started->get_future().get();
    return outcome;
}

/// Expressions run in the live session.
inline const py::session_options live_expressions = {.expressions = py::eval_policy::unrestricted};

/// A session of the shared interpreter, with what it ran first.
struct python_bench {
    explicit python_bench(const std::string& code = {}, const py::session_options& options = {}) : session(shared_python(), options) {
        if (!code.empty()) {
            const py::outcome ended = session.exec(code);
            INFO((ended.exception ? ended.exception->traceback : ended.why));
            REQUIRE(ended.ok());
        }
    }

    /// The `result` of a call that has to succeed.
    ai::json result(const std::string& name, ai::json arguments) {
        const ai::capability_reply reply = invoke(session, name, std::move(arguments));
        INFO(ai::dump_json(reply.envelope()));
        REQUIRE(reply.ok());
        return reply.result;
    }
    ai::json look(const std::string& name, const std::string& expression) { return result(name, about(expression)); }
    std::string repr(const std::string& expression) { return text(look("get_repr", expression), "repr"); }

    static std::string text(const ai::json& object, const char* key) {
        INFO(ai::dump_json(object));
        const std::optional<std::string_view> found = ai::string_member(object, key);
        REQUIRE(found);
        return std::string(*found);
    }
    static ai::json member(const ai::json& object, const char* key) {
        const ai::json* found = ai::find_member(object, key);
        REQUIRE(found != nullptr);
        return *found;
    }

    py::session session;
};

}  // namespace bench
