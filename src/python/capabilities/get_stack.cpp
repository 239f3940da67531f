#include "python/capabilities/python_capability.hpp"
#include "python/memory/own_memory_reply.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

struct get_stack_arguments {
    std::optional<std::int64_t> threads = {};
    std::optional<std::int64_t> frames = {};
    std::optional<std::int64_t> locals = {};
    static constexpr about descriptions[] = {{"threads", "Maximum number of threads (default 20).", 1, 200},
                                             {"frames", "Maximum number of frames per thread, innermost first (default 10).", 1, 100},
                                             {"locals", "Maximum number of local variables per frame (default 8).", 0, 50}};
};

capability_reply get_stack(capability_context&, const get_stack_arguments& arguments) {
    return exact_stack(
        {.threads = count_or(arguments.threads, 20), .frames = count_or(arguments.frames, 10), .locals = count_or(arguments.locals, 8)});
}

}  // namespace

python_capability get_stack_capability() {
    return make_capability("get_stack", "threads",
                           "The Python threads and what each runs now: file, line, function, local variables, and the built-in function "
                           "that it is in (c_call). Works also while Python is stuck; the answer is then read from memory (best_effort).",
                           &get_stack);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
