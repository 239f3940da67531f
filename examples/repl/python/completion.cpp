#include "python/completion.hpp"

#include "python/session_query.hpp"

#include <algorithm>
#include <utility>

namespace repl {

completion_list complete_python(ai::python::session& session, std::string_view entry, std::size_t cursor) {
    const std::string before(entry.substr(0, cursor));
    completion_list out{.begin = cursor, .end = cursor};
    for (std::string& name : completions(session, before)) {
        std::size_t shared = std::min(name.size(), before.size());
        while (!before.ends_with(name.substr(0, shared))) {
            --shared;
        }
        out.begin = cursor - shared;
        out.items.push_back({.text = std::move(name)});
    }
    return out;
}

std::string describe_call_at(ai::python::session&, std::string_view, std::size_t) {
    return {};
}

}  // namespace repl
