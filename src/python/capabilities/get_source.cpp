#include "python/capabilities/look_at.hpp"
#include "python/look/source_text.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

struct source_arguments {
    std::string expr = {};
    std::optional<std::int64_t> max_chars = {};
    static constexpr about descriptions[] = {
        {"expr", "A function, class, method or module: a name with attributes and items by literal keys, e.g. player.heal, Player, game."},
        {"max_chars", "Maximum number of characters (default 8000).", 1, 100'000}};
};

capability_reply get_source(capability_context& context, const source_arguments& arguments) {
    return look_at(context, arguments.expr, [&](PyObject* object) {
        source_text found = find_source(object, count_or(arguments.max_chars, 8000));
        if (!found.why.empty()) {
            return json::object({{"source", nullptr}, {"file", nullptr}, {"line", nullptr}, {"truncated", false}, {"why", found.why}});
        }
        return json::object(
            {{"source", std::move(found.source)}, {"file", std::move(found.file)}, {"line", found.line}, {"truncated", found.truncated}});
    });
}

}  // namespace

python_capability get_source_capability() {
    return make_capability(
        "get_source", "source",
        "The source text of a function, class, method or module, with its file and first line; of code that was entered in "
        "this session too. source is null, with the reason in why, for objects that have none (built-ins).",
        &get_source);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
