#include "python/prompt_names.hpp"

#include "python/session_query.hpp"

#include <algorithm>
#include <utility>

namespace repl {

namespace {

std::string text_in(const std::optional<ai::json>& reply, const char* member) {
    return std::string(reply ? ai::string_member(*reply, member).value_or("") : "");
}

/// The lines of a text.
std::vector<std::string> texts_in(const std::optional<ai::json>& reply, const char* member) {
    const std::string lines = text_in(reply, member);
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', at), lines.size());
        texts.push_back(lines.substr(at, end - at));
        at = end + 1;
    }
    return texts;
}

bool flag_in(const std::optional<ai::json>& reply, const char* member) {
    const ai::json* found = reply ? ai::find_member(*reply, member) : nullptr;
    return found != nullptr && *found == true;
}

name_listing listing_in(const std::optional<ai::json>& reply) {
    name_listing listing{.cut = flag_in(reply, "truncated")};
    std::vector<std::string> names = texts_in(reply, "members");
    std::vector<std::string> kinds = texts_in(reply, "kinds");
    kinds.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        listing.items.push_back({.text = std::move(names[i]), .detail = std::move(kinds[i])});
    }
    return listing;
}

}  // namespace

prompt_names::prompt_names(ai::python::session& session, ai::duration patience)
    : session_(session), end_(std::chrono::steady_clock::now() + patience) {}

std::optional<ai::json> prompt_names::ask(const char* what, const std::string& object, const std::string& prefix) {
    const auto now = std::chrono::steady_clock::now();
    if (gave_up_ || now >= end_) {
        gave_up_ = true;
        return std::nullopt;
    }
    query_failure failure = query_failure::none;
    auto reply = query_session(session_, "prompt_names", ai::json::object({{"what", what}, {"expr", object}, {"prefix", prefix}}),
                               end_ - now, &failure);
    gave_up_ = failure == query_failure::no_answer;
    return reply;
}

name_listing prompt_names::visible(const std::string& prefix) {
    return listing_in(ask("names", "", prefix));
}

name_listing prompt_names::members_of(const std::string& object, const std::string& prefix) {
    return listing_in(ask("members", object, prefix));
}

name_listing prompt_names::keys_of(const std::string& object) {
    return listing_in(ask("keys", object, ""));
}

call_description prompt_names::call_of(const std::string& object) {
    const auto reply = ask("call", object, "");
    return {.signature = text_in(reply, "signature"),
            .summary = text_in(reply, "summary"),
            .doc = text_in(reply, "doc"),
            .parameters = texts_in(reply, "members")};
}

module_members prompt_names::members_of_module(const std::string& module, const std::string& prefix) {
    const auto reply = ask("module", module, prefix);
    return {.names = listing_in(reply), .loaded = flag_in(reply, "loaded")};
}

module_places prompt_names::modules(const std::string& package, const std::string& prefix) {
    const auto reply = ask("modules", package, prefix);
    return {.path = texts_in(reply, "path"), .names = texts_in(reply, "members"), .loaded = flag_in(reply, "loaded")};
}

}  // namespace repl
