#include "python/session_query.hpp"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace repl {

namespace {

using namespace std::chrono_literals;

struct query_inbox {
    std::mutex mutex;
    std::condition_variable arrived;
    std::optional<ai::capability_reply> reply;
};

}  // namespace

std::optional<ai::json> query_session(ai::python::session& session, std::string capability, ai::json arguments, ai::duration time,
                                      query_failure* failure) {
    ai::capability_call call;
    call.run_id = "prompt";
    call.name = std::move(capability);
    call.arguments = std::move(arguments);
    call.time_left = time;
    const auto box = std::make_shared<query_inbox>();
    session.invoke(call, ai::capability_responder([box](ai::capability_reply reply) {
                       const std::lock_guard lock(box->mutex);
                       box->reply = std::move(reply);
                       box->arrived.notify_one();
                   }));
    std::unique_lock lock(box->mutex);
    const bool replied = box->arrived.wait_for(lock, time + 100ms, [&] { return box->reply.has_value(); });
    const bool busy = !replied || box->reply->code == ai::reply_code::busy || box->reply->code == ai::reply_code::timeout;
    if (busy || !box->reply->ok()) {
        if (failure != nullptr) {
            *failure = busy ? query_failure::no_answer : query_failure::refused;
        }
        return std::nullopt;
    }
    return std::move(box->reply->result);
}

std::optional<std::vector<ai::json>> query_variables(ai::python::session& session, const std::string& filter, std::size_t limit,
                                                     ai::duration time) {
    const auto end = std::chrono::steady_clock::now() + time;
    std::vector<ai::json> variables;
    for (std::int64_t offset = 0;;) {
        ai::json arguments = ai::json::object({{"filter", filter}, {"limit", limit - variables.size()}, {"offset", offset}});
        const auto page = query_session(session, "list_globals", std::move(arguments), end - std::chrono::steady_clock::now());
        const ai::json* globals = page ? ai::find_member(*page, "globals") : nullptr;
        if (globals == nullptr || !globals->is_array()) {
            return std::nullopt;
        }
        variables.insert(variables.end(), globals->begin(), globals->end());
        const auto next = ai::integer_member(*page, "next_offset");
        if (!next || *next <= offset || variables.size() >= limit) {
            return variables;
        }
        offset = *next;
    }
}

}  // namespace repl
