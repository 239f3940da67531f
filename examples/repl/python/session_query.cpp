#include "python/session_query.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace repl {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t max_candidates = 100;
constexpr auto completion_time = 300ms;  // a longer wait would feel like a blocked keyboard

struct query_inbox {
    std::mutex mutex;
    std::condition_variable arrived;
    std::optional<ai::capability_reply> reply;
};

bool is_word_byte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || c == '.' || byte >= 0x80;
}

/// The members of an object, from `get_dir`.
std::vector<std::string> members_of(ai::python::session& session, const std::string& object, const std::string& filter) {
    ai::json arguments = ai::json::object({{"expr", object}, {"filter", filter}, {"limit", max_candidates}});
    const auto result = query_session(session, "get_dir", std::move(arguments), completion_time);
    const ai::json* members = result ? ai::find_member(*result, "members") : nullptr;
    std::vector<std::string> names;
    for (std::size_t i = 0; members != nullptr && members->is_array() && i < members->size(); ++i) {
        names.emplace_back(ai::as_string((*members)[i]).value_or(""));
    }
    return names;
}

std::vector<std::string> variables_like(ai::python::session& session, const std::string& filter) {
    std::vector<std::string> names;
    if (const auto listing = query_variables(session, filter, max_candidates, completion_time)) {
        for (const ai::json& each : *listing) {
            names.emplace_back(ai::string_member(each, "name").value_or(""));
        }
    }
    return names;
}

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

std::vector<std::string> completions(ai::python::session& session, const std::string& before) {
    std::size_t begin = before.size();
    while (begin > 0 && is_word_byte(before[begin - 1])) {
        --begin;
    }
    const std::string word = before.substr(begin);
    const std::size_t dot = word.rfind('.');
    const std::string path = dot == std::string::npos ? "" : word.substr(0, dot);
    const std::string start = dot == std::string::npos ? word : word.substr(dot + 1);
    if (word.empty() || (dot != std::string::npos && path.empty())) {
        return {};
    }
    std::vector<std::string> out;
    for (const std::string& name : path.empty() ? variables_like(session, start + "*") : members_of(session, path, start + "*")) {
        // Offer names with an underscore only if the typed text has one.
        if (name.starts_with(start) && (!name.starts_with("_") || start.starts_with("_"))) {
            out.push_back(path.empty() ? name : path + "." + name);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace repl
