#include "python/memory/own_memory_reply.hpp"

#include "python/memory/memory_answers.hpp"
#include "python/memory/process_memory.hpp"

#include <pyaichat/core/time.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

std::string describe_running_work(const std::optional<running_work>& running) {
    return running ? "Python is busy: " + running->what + " has been running for " + describe(running->since)
                   : std::string("Python is busy: another thread keeps its lock");
}

}  // namespace

capability_reply answer_without_python(const session_addresses& session, std::string_view capability, const json& arguments,
                                       const std::optional<running_work>& running) {
    process_memory memory = own_memory();
    const memory_map& map = own_memory_map();
    if (const result<void> readable = memory.check(map.addresses.runtime); !readable) {
        return reply_error(reply_code::busy, describe_running_work(running) + ". " + readable.error().message);
    }
    if (session.globals == 0 && capability != "get_stack") {
        return reply_error(reply_code::busy, describe_running_work(running) + ". The session has no variables yet");
    }
    capability_reply reply =
        answer_from_memory({.source = memory, .map = map, .globals = session.globals, .builtins = session.builtins}, capability, arguments);
    if (reply.ok() && capability == "situation") {
        reply.result["state"] = describe_running_work(running);
    }
    if (reply.ok()) {
        reply.result["note"] = describe_running_work(running) + "; this was read from memory meanwhile and may be incomplete";
    }
    return reply;
}

std::optional<std::vector<std::string>> own_hidden_texts(const privacy_rules& rules, const session_addresses& session) {
    process_memory memory = own_memory();
    return hidden_texts_in_memory(rules, {.source = memory, .map = own_memory_map(), .globals = session.globals});
}

capability_reply exact_stack(const stack_limits& limits) {
    process_memory source = own_memory();
    const memory_map& map = own_memory_map();
    if (const result<void> readable = source.check(map.addresses.runtime); !readable) {
        return reply_error(reply_code::not_allowed, readable.error().message);
    }
    bounded_memory memory(source);
    json result = read_stack(memory, map, limits);
    result["tier"] = 0;
    result["ran_user_code"] = false;
    return reply_with(std::move(result));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
