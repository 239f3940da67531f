#include "python/capabilities/capability_table.hpp"
#include "python/capabilities/look_at.hpp"
#include "python/capabilities/structural_scope.hpp"
#include "python/look/structural_printer.hpp"
#include "python/privacy/privacy_scope.hpp"
#include "python/privacy/secret_names.hpp"
#include "python/snapshot/snapshot.hpp"

#include <algorithm>
#include <chrono>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_value_chars = 4000;
constexpr std::size_t max_output = 8 * 1024;
constexpr std::size_t max_message = 1000;
constexpr std::size_t max_traceback = 4000;
constexpr std::chrono::seconds max_snapshot_time(30);
constexpr std::chrono::milliseconds max_reply_time(100);

struct eval_arguments {
    std::string expr = {};
    static constexpr about descriptions[] = {{"expr", "A Python expression, e.g. len(rows), df.describe(), sum(x for x in xs)."}};
};

struct structural_attempt {
    capability_reply reply;
    bool met_objects = false;  ///< the text shows objects whose own `repr` may differ
};

structural_attempt look_without_code(capability_context& context, const std::string& expression) {
    structural_attempt attempt;
    const structural_scope scope(context.session);
    attempt.reply = look_at(context, expression, [&](PyObject* object) {
        const printed text = print_structure(object, {.max_chars = max_value_chars});
        attempt.met_objects = text.met_objects;
        return json::object({{"value_repr", text.text + (text.clipped ? "..." : "")}, {"stdout", ""}, {"stderr", ""}});
    });
    scope.mark(attempt.reply);
    return attempt;
}

/// Runs an expression in the live session.
capability_reply live_value(capability_context& context, const std::string& expression) {
    const run_options options = {.mode = run_mode::expression, .file_name = "<expression>"};
    const outcome ended = context.session.run(expression, options, std::make_shared<output_sink>(output_sink::observer(), max_output),
                                              session_state::on_exception::forget, max_value_chars);
    json result = json::object({{"stdout", ended.out}, {"stderr", ended.err}, {"tier", 3}, {"ran_user_code", true}});
    if (ended.exception) {
        result["traceback"] = std::string(pyaichat::detail::utf8_suffix(ended.exception->traceback, max_traceback));
        return python_exception_reply(ended.exception->exc_type,
                                      std::string(pyaichat::detail::utf8_prefix(ended.exception->message, max_message)), std::move(result));
    }
    if (!ended.ok()) {
        return reply_error(reply_code::internal, ended.why, std::move(result));
    }
    result["value_repr"] = ended.value.empty() ? "None" : ended.value;
    return reply_with(std::move(result));
}

/// The reply for an expression that has a hidden name: code would find what the name stands for.
std::optional<capability_reply> refused_name(const std::string& expression) {
    std::string hidden;
    const bool found = hides_names() && any_name_in(expression, [&](std::string_view name) {
                           hidden = name;
                           return hides_name(name);
                       });
    return found ? std::optional(python_exception_reply("NameError", "name '" + hidden + "' is not defined")) : std::nullopt;
}

/// Evaluates an expression in a sealed copy of the process.
capability_reply snapshot_value(capability_context& context, const std::string& expression) {
    // The copy ends a little before the call does, so that the reply says what the copy did.
    const auto now = work::clock::now();
    const auto left = std::min<work::clock::duration>(context.deadline - now, max_snapshot_time);
    const snapshot_limits limits = {.deadline = now + left - std::min<work::clock::duration>(left / 10, max_reply_time),
                                    .max_chars = max_value_chars,
                                    .max_output = max_output};
    return evaluate_in_snapshot(context.session, expression, limits, context.call.cancel);
}

capability_reply eval_expr(capability_context& context, const eval_arguments& arguments) {
    const bool live = runs_live(context.policy);
    structural_attempt attempt = look_without_code(context, arguments.expr);
    const bool refused = attempt.reply.code == reply_code::not_allowed;
    // The text of an object comes from its own `repr` only where code may run in the session.
    const bool needs_code = refused ? live || context.policy == eval_policy::snapshot : live && attempt.met_objects;
    if (!needs_code) {
        return std::move(attempt.reply);
    }
    if (std::optional<capability_reply> hidden = refused_name(arguments.expr)) {
        return std::move(*hidden);
    }
    return live ? live_value(context, arguments.expr) : snapshot_value(context, arguments.expr);
}

}  // namespace

python_capability eval_expr_capability() {
    python_capability capability =
        make_capability("eval_expr", "value_repr",
                        "Evaluates one Python expression in the session and returns its value as text, with what it printed. "
                        "Prefer the other functions when they are enough: this one may have to run code.",
                        &eval_expr);
    capability.runs_code = true;
    return capability;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
