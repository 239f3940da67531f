#pragma once
#include "python/session/session_state.hpp"

#include <pyaichat/capability/function.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// What a capability works with, on Python's thread with the GIL held.
struct capability_context {
    session_state& session;
    const capability_call& call;
    eval_policy policy;         ///< for expressions that need user code, as it was when the call was made
    work::time_point deadline;  ///< of the call
};

/// A capability of a session: its declaration, and the function that runs it.
struct python_capability {
    capability_spec spec = {};
    std::function<capability_reply(capability_context&)> run = {};
    bool runs_code = false;  ///< it may run code of the user
    bool declared = true;    ///< the model knows of it
};

/// Makes a capability of a function whose arguments are the fields of a struct, described by its `descriptions`.
template <class Arguments>
[[nodiscard]] python_capability make_capability(const char* name, const char* headline, const char* description,
                                                capability_reply (*run)(capability_context&, const Arguments&)) {
    return {.spec = {.name = name,
                     .description = description,
                     .parameters = schema_of<Arguments>(),
                     .effects = effects::read,
                     .headline = headline,
                     .origin = "Python"},
            .run = [run](capability_context& context) {
                Arguments arguments;
                schema_error error;
                return decode(context.call.arguments, arguments, error) ? run(context, arguments) : reply_invalid_args({&error, 1});
            }};
}

/// Returns the argument as a count, or what holds if the model gave none. The declared range has been checked.
[[nodiscard]] inline std::size_t count_or(const std::optional<std::int64_t>& given, std::size_t otherwise) {
    return given ? static_cast<std::size_t>(*given) : otherwise;
}

[[nodiscard]] python_capability list_globals_capability();
/// `get_type`, `get_repr`, `get_dir`, `get_doc` and `inspect`, which look at the object that an expression names.
[[nodiscard]] std::vector<python_capability> object_capabilities();
[[nodiscard]] python_capability eval_expr_capability();
[[nodiscard]] python_capability get_last_exception_capability();
[[nodiscard]] python_capability get_stack_capability();
[[nodiscard]] python_capability get_source_capability();
[[nodiscard]] python_capability situation_capability();
/// `prompt_names`, which a prompt asks for completions. It is not declared.
[[nodiscard]] python_capability prompt_names_capability();

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
