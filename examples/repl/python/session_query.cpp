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

/// The names in a listing of strings or of objects with a `name`.
std::vector<std::string> names_in(const ai::json& result, std::string_view key) {
    std::vector<std::string> out;
    const ai::json* list = ai::find_member(result, key);
    if (list != nullptr && list->is_array()) {
        for (const ai::json& entry : *list) {
            const auto name = entry.is_object() ? ai::string_member(entry, "name") : ai::as_string(entry);
            if (name) {
                out.emplace_back(*name);
            }
        }
    }
    return out;
}

}  // namespace

std::optional<ai::json> query_session(ai::python::session& session, std::string capability, ai::json arguments, ai::duration time) {
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
    if (!box->arrived.wait_for(lock, time + 100ms, [&] { return box->reply.has_value(); }) || !box->reply->ok()) {
        return std::nullopt;
    }
    return std::move(box->reply->result);
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
    ai::json arguments = ai::json::object();
    arguments["filter"] = start + "*";
    arguments["limit"] = max_candidates;
    if (dot != std::string::npos) {
        arguments["expr"] = path;
    }
    const auto result = query_session(session, path.empty() ? "list_globals" : "get_dir", std::move(arguments), completion_time);
    if (!result) {
        return {};
    }
    std::vector<std::string> out;
    for (const std::string& name : names_in(*result, path.empty() ? "globals" : "members")) {
        // Offer names with an underscore only if the typed text has one.
        if (name.starts_with(start) && (!name.starts_with("_") || start.starts_with("_"))) {
            out.push_back(path.empty() ? name : path + "." + name);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace repl
