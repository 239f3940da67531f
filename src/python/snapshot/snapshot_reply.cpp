#include "python/snapshot/snapshot_reply.hpp"

#include "python/look/look_context.hpp"

#include <pyaichat/core/json.hpp>

#include <csignal>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr const char* unchanged = " The live session has not changed.";

const char* meaning_of(int signal) {
    switch (signal) {
        case SIGSEGV:
        case SIGBUS:
        case SIGABRT:
        case SIGILL:
        case SIGFPE: return "native code crashed, or the code wrote to memory that is shared with other processes";
        case SIGKILL: return "it used too much memory, or it killed itself";
        case SIGXCPU: return "it used too much processor time";
        default: return "the code sent the signal to itself";
    }
}

std::string how_it_ended(const child_end& end) {
    if (end.signal) {
        return "signal " + std::to_string(*end.signal) + " ended it (" + meaning_of(*end.signal) + ")";
    }
    if (end.exit_status) {
        return "it ended with exit status " + std::to_string(*end.exit_status) + " (the code called a function like os._exit)";
    }
    return "its exit status is unknown, because the host process has collected it";
}

std::string text_member(const json& document, const char* name) {
    return std::string(string_member(document, name).value_or(""));
}

/// The reply for a child that has ended by itself. Its document is data of the evaluated code, so only known members are used.
capability_reply ended_reply(const child_end& end) {
    const result<json> document = parse_json(end.document);
    if (!document || !document->is_object()) {
        return python_exception_reply("ProcessEnded",
                                      "the copy of the process that evaluated the expression sent no value: " + how_it_ended(end) +
                                          ". Use an expression that does not end or crash the process, or one that needs less memory." +
                                          unchanged,
                                      {{"tier", 2}, {"ran_user_code", true}});
    }
    json result = json::object(
        {{"stdout", text_member(*document, "stdout")}, {"stderr", text_member(*document, "stderr")}, {"tier", 2}, {"ran_user_code", true}});
    if (const std::optional<std::string_view> type = string_member(*document, "exc_type")) {
        result["traceback"] = text_member(*document, "traceback");
        return python_exception_reply(std::string(*type), text_member(*document, "message"), std::move(result));
    }
    result["value_repr"] = text_member(*document, "value_repr");
    return reply_with(std::move(result));
}

}  // namespace

capability_reply snapshot_reply(const result<child_end>& outcome, const std::string& span) {
    if (!outcome) {
        const reply_code code = outcome.error().code == errc::not_allowed ? reply_code::not_allowed : reply_code::internal;
        return reply_error(code, "the expression was not evaluated, because no snapshot could be made: " + outcome.error().message);
    }
    const json begun = {{"tier", 2}, {"ran_user_code", true}};
    switch (outcome->what) {
        case child_end::kind::ended: return ended_reply(*outcome);
        case child_end::kind::unsealed:
            return reply_error(reply_code::internal,
                               "the expression was not evaluated, because its snapshot could not be sealed: " + outcome->document +
                                   " failed. Use the functions that run no code; they need no snapshot.");
        case child_end::kind::deadline:
            return reply_error(reply_code::timeout, "the expression did not end within " + span + " and was stopped." + unchanged, begun);
        case child_end::kind::cancelled:
            return reply_error(reply_code::cancelled, std::string("the call was cancelled and the expression was stopped.") + unchanged,
                               begun);
        case child_end::kind::too_long: break;
    }
    return reply_error(reply_code::internal, std::string("the snapshot sent more than its limit and was stopped.") + unchanged, begun);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
