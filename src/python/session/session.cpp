#include <pyaichat/python/session.hpp>

#include "python/capabilities/capability_table.hpp"
#include "python/capabilities/python_capability.hpp"
#include "python/interpreter/gil.hpp"
#include "python/look/static_lookup.hpp"
#include "python/look/structural_printer.hpp"
#include "python/memory/memory_answers.hpp"
#include "python/privacy/privacy_scope.hpp"
#include "python/privacy/reply_filter.hpp"
#include "python/privacy/secret_names.hpp"
#include "python/session/session_state.hpp"
#include "python/snapshot/snapshot.hpp"

#include <pyaichat/core/text.hpp>

#include <future>
#include <optional>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python {

namespace detail {

namespace {

/// Sends the output to a sink and connects the input during its own lifetime, and undoes `activate` at its end. Background threads and the
/// host's observer may block, so all that needs the sinks is done without the GIL.
class captured_output {
public:
    captured_output(interpreter_core& python, const std::shared_ptr<output_sink>& sink, const input_port::reader& input) : python_(python) {
        const gil_pause without_gil;
        redirection_.emplace(python.output(), sink);
        input_.emplace(python.input(), input);
    }
    ~captured_output() {
        python_.disarm();
        python_.deactivate();
        const gil_pause without_gil;
        input_.reset();
        redirection_.reset();
    }
    captured_output(const captured_output&) = delete;
    captured_output& operator=(const captured_output&) = delete;

private:
    interpreter_core& python_;
    std::optional<output_switch::redirection> redirection_;
    std::optional<input_port::connection> input_;
};

/// Numbers the file name of an entry, `<session>` to `<session 3>`, so that tracebacks find the source lines of each entry.
std::string numbered(const std::string& file_name, std::uint64_t entry) {
    if (!file_name.starts_with('<') || !file_name.ends_with('>')) {
        return file_name;
    }
    return file_name.substr(0, file_name.size() - 1) + " " + std::to_string(entry) + ">";
}

PyObject* truth(bool value) noexcept {
    return value ? Py_True : Py_False;
}

/// Whether compiled code awaits at its top level.
bool is_coroutine(PyObject* code) noexcept {
    return PyCode_Check(code) != 0 && (reinterpret_cast<PyCodeObject*>(code)->co_flags & CO_COROUTINE) != 0;
}

}  // namespace

session_state::~session_state() {
    if (module_) {
        python_->release_later(take_objects());
    }
}

session_objects session_state::take_objects() noexcept {
    globals_address_ = 0;
    builtins_address_ = 0;
    return {
        .module = module_.release(), .compiler = compiler_.release(), .main = main_.release(), .created_module = options_.module.empty()};
}

PyObject* session_state::globals() {
    if (!module_) {
        const ref name = options_.module.empty() ? ref() : to_python(options_.module);
        const ref objects = name ? python_->runtime().call("open_session", name.get()) : python_->runtime().call("new_session");
        if (!objects || !PyTuple_Check(objects.get()) || PyTuple_GET_SIZE(objects.get()) != 3 ||
            !PyModule_Check(PyTuple_GET_ITEM(objects.get(), 0))) {
            PyErr_Clear();
            return nullptr;
        }
        module_ = ref::share(PyTuple_GET_ITEM(objects.get(), 0));
        compiler_ = ref::share(PyTuple_GET_ITEM(objects.get(), 1));
        main_ = ref::share(PyTuple_GET_ITEM(objects.get(), 2));
        globals_address_ = reinterpret_cast<address>(PyModule_GetDict(module_.get()));
        builtins_address_ = reinterpret_cast<address>(python_->runtime().builtins());
        python_->at_end(weak_from_this(), [this] { python_->release_now(take_objects()); });
    }
    return PyModule_GetDict(module_.get());
}

std::string session_state::why_no_globals() const {
    return options_.module.empty() || module_
               ? "Python could not prepare the session: a trace function or a replaced standard function may prevent it"
               : "the session shows the module `" + options_.module + "`, but no module of this name is loaded";
}

ref session_state::compile(const std::string& code, const run_options& options) const {
    const ref source = to_python(code);
    const ref file = to_python(numbered(options.file_name, entries_));
    if (!source || !file) {
        return {};
    }
    if (options.mode == run_mode::interactive) {
        return python_->runtime().call("compile_entry", compiler_.get(), source.get(), file.get(), truth(options.top_level_await));
    }
    const ref mode = ref::steal(PyUnicode_FromString(options.mode == run_mode::expression ? "eval" : "exec"));
    return mode ? python_->runtime().call("compile_source", source.get(), file.get(), mode.get()) : ref();
}

bool session_state::evaluate(PyObject* code, const run_options& options, std::size_t max_chars, outcome& into) {
    PyObject* names = PyModule_GetDict(module_.get());
    ref value = ref::steal(PyEval_EvalCode(code, names, names));
    if (value && PyCoro_CheckExact(value.get()) != 0 && is_coroutine(code)) {
        value = python_->runtime().call_traced("run_awaiting", value.get());
    }
    if (!value) {
        return false;
    }
    if (options.mode == run_mode::expression) {
        const printed text = print_structure(value.get(), {.max_chars = max_chars, .run_repr = true});
        into.value = value.get() == Py_None ? std::string() : text.text + (text.clipped ? "..." : "");
        return !text.failed;
    }
    return true;
}

outcome session_state::run(const std::string& code, const run_options& options, const std::shared_ptr<output_sink>& sink,
                           on_exception action, std::size_t max_chars) {
    outcome ended;
    const auto began = std::chrono::steady_clock::now();
    python_->arm();
    if (globals() == nullptr || !activate()) {
        python_->disarm();
        PyErr_Clear();
        ended.ending = ending::unavailable;
        ended.why = why_no_globals();
        return ended;
    }
    ++entries_;
    {
        const captured_output captured(*python_, sink, options.input);
        const bool prepared =
            static_cast<bool>(python_->runtime().call("begin_run", truth(options.process_input), truth(options.number_values)));
        const ref compiled = prepared ? compile(code, options) : ref();
        if (compiled.get() == Py_None) {
            ended.ending = ending::incomplete;
            --entries_;
        } else if (!compiled || !evaluate(compiled.get(), options, max_chars, ended)) {
            ref exception = take_exception();
            if (options.exception_hooks && exception) {
                call_hooks(exception, ended);
            }
            python_->disarm();
            report(exception.get(), action, ended);
        }
    }
    python_->leave_if_forked(ended);
    const gil_pause without_gil;  // a thread that writes now calls the host's observer, which may need the GIL
    ended.out = sink->text(output_stream::out);
    ended.err = sink->text(output_stream::err);
    if (action == on_exception::keep && ended.ending != ending::incomplete) {
        history_.add(code, numbered(options.file_name, entries_), ended, std::chrono::steady_clock::now() - began);
    }
    return ended;
}

void session_state::call_hooks(ref& exception, outcome& into) const {
    if (PyErr_GivenExceptionMatches(exception.get(), PyExc_SystemExit) != 0) {
        return;
    }
    const ref shown = python_->runtime().call("handle_uncaught", exception.get());
    if (!shown) {
        exception = take_exception();  // the hook has raised SystemExit
    }
    into.exception_shown = shown.get() == Py_True;
}

void session_state::report(PyObject* exception, on_exception action, outcome& into) {
    into.ending = ending::raised;
    if (exception == nullptr) {
        into.exception = exception_info{.exc_type = "SystemError", .message = "the code failed without an exception"};
        return;
    }
    if (PyErr_GivenExceptionMatches(exception, PyExc_SystemExit) != 0) {
        into.ending = ending::exited;
        const ref status = builtin_member(reinterpret_cast<PyTypeObject*>(PyExc_SystemExit), exception, "code");
        if (status && PyLong_Check(status.get())) {
            into.exit_status = static_cast<int>(PyLong_AsLong(status.get()) & 0xFF);
            PyErr_Clear();
        } else if (status && status.get() != Py_None) {
            into.exit_status = 1;  // `sys.exit("message")`
        }
    }
    caught_exception caught = describe_exception(exception, python_->runtime());
    into.exception = caught.info;
    if (action == on_exception::keep && into.ending == ending::raised) {
        last_exception_ = std::move(caught);
    }
}

void session_state::keep_exception(PyObject* exception) {
    last_exception_ = exception != nullptr && PyExceptionInstance_Check(exception)
                          ? std::optional(describe_structure(exception, python_->runtime()))
                          : std::nullopt;
}

}  // namespace detail

namespace {

using detail::refusal;

constexpr std::size_t max_described_code = 80;

outcome refused_outcome(const refusal& why) {
    return {.ending = why.what == refusal::kind::timeout ? ending::timeout
                      : why.what == refusal::kind::busy  ? ending::busy
                                                         : ending::unavailable,
            .why = why.why};
}

capability_reply refused_reply(const refusal& why) {
    switch (why.what) {
        case refusal::kind::timeout: return reply_error(reply_code::timeout, "Python did not reply in time: " + why.why);
        case refusal::kind::busy: return reply_error(reply_code::busy, why.why);
        case refusal::kind::cancelled: return reply_error(reply_code::cancelled, why.why);
        case refusal::kind::gone: break;
    }
    return reply_error(reply_code::internal, why.why);
}

}  // namespace

std::string_view to_string(eval_policy value) noexcept {
    switch (value) {
        case eval_policy::structural: return "structural";
        case eval_policy::snapshot: return "snapshot";
        case eval_policy::ask: return "ask";
        case eval_policy::unrestricted: break;
    }
    return "unrestricted";
}

eval_policy default_eval_policy() noexcept {
    return detail::snapshots_available() ? eval_policy::snapshot : eval_policy::structural;
}

session::session(const interpreter& python, session_options options)
    : state_(std::make_shared<detail::session_state>(python.core_, std::move(options))) {
    PYAICHAT_ASSERT(python.core_ != nullptr, "a session was created from a moved-from interpreter");
}

void session::set_policy(eval_policy policy) noexcept {
    state_->set_policy(policy);
}

eval_policy session::policy() const noexcept {
    return state_->policy();
}

void session::hide(std::string pattern) {
    state_->privacy().change([&](detail::privacy_rules& rules) { rules.hidden.push_back(std::move(pattern)); });
}

void session::set_values(values_policy values) {
    state_->privacy().change([&](detail::privacy_rules& rules) { rules.values = values; });
}

values_policy session::values() const {
    return state_->privacy().rules()->values;
}

capability_reply session::released(capability_reply reply) const {
    const std::shared_ptr<const detail::privacy_rules> rules = state_->privacy().rules();
    const auto hidden = detail::own_hidden_texts(*rules, state_->addresses());
    if (!hidden) {
        return reply_error(reply_code::busy, "the texts of hidden variables, which no reply may have, could not be read from memory");
    }
    return detail::released(*rules, {}, std::move(reply), *hidden);
}

void session::keep_exception(void* exception) {
    const detail::gil_hold gil;
    state_->keep_exception(static_cast<PyObject*>(exception));
}

void session::set_mask_secrets(bool mask) {
    state_->privacy().change([&](detail::privacy_rules& rules) { rules.mask_secrets = mask; });
}

void session::post(std::string code, run_options options, unique_function<void(outcome)> done) {
    // `run` and `refuse` share it; the queue calls only one of them.
    const auto shared_done = std::make_shared<unique_function<void(outcome)>>(std::move(done));
    const auto sink = std::make_shared<detail::output_sink>(std::move(options.output));
    detail::work item;
    item.what = pyaichat::detail::one_line(code, max_described_code);
    item.deadline = detail::deadline_in(options.time_left);
    item.refuse = [shared_done, sink, state = state_](const refusal& why) {
        sink->close(state->python().output().background());
        outcome refused = refused_outcome(why);
        refused.out = sink->text(output_stream::out);
        refused.err = sink->text(output_stream::err);
        (*shared_done)(std::move(refused));
    };
    item.run = [shared_done, sink, state = state_, code = std::move(code), options = std::move(options)]() -> task {
        outcome ended = guarded([&] { return state->run(code, options, sink); },
                                [](std::string_view what) {
                                    return refused_outcome({.what = refusal::kind::gone, .why = "the host failed: " + std::string(what)});
                                });
        return [shared_done, sink, ended = std::move(ended)]() mutable {
            sink->close();
            (*shared_done)(std::move(ended));
        };
    };
    state_->python().queue().push(std::move(item));
}

outcome session::run(std::string code, run_options options) {
    PYAICHAT_ASSERT(!state_->python().is_current(), "session::run must not be called inside of Python's work: use session::post");
    auto promise = std::make_shared<std::promise<outcome>>();
    std::future<outcome> ended = promise->get_future();
    post(std::move(code), std::move(options), [promise](outcome value) { promise->set_value(std::move(value)); });
    const auto is_ready = [&] { return ended.wait_for(duration::zero()) == std::future_status::ready; };
    state_->python().run_here_until(is_ready);
    if (is_ready()) {
        return ended.get();
    }
    const detail::gil_pause without_gil;
    return ended.get();
}

result<capability_list> session::specs() const {
    return detail::capability_specs(state_->policy());
}

std::vector<call_decision> session::review(std::span<const proposed_call> batch) {
    std::vector<call_decision> decisions(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (state_->policy() == eval_policy::ask && detail::runs_code(batch[i].name)) {
            decisions[i] = call_decision::ask("The expression runs in the live session and may change it.");
        }
    }
    return decisions;
}

void session::invoke(const capability_call& call, capability_responder responder) {
    const auto shared_responder = std::make_shared<capability_responder>(std::move(responder));
    detail::work item;
    item.what = pyaichat::detail::one_line(describe_call(call.name, call.arguments), max_described_code);
    item.deadline = detail::deadline_in(call.time_left);
    item.cancel = call.cancel;
    // These three and `run_capability` are the only places that reply to a call, and each reply passes through `released`: a refusal may
    // quote the code that runs, and the text of an internal error may have anything in it.
    item.refuse = [shared_responder, state = state_, call](const refusal& why) {
        const std::shared_ptr<const detail::privacy_rules> rules = state->privacy().rules();
        const auto hidden = detail::own_hidden_texts(*rules, state->addresses());
        (*shared_responder)(detail::released(*rules, call, refused_reply(why), hidden.value_or(std::vector<std::string>())));
    };
    if (detail::has_memory_answer(call.name)) {
        item.without_python = [shared_responder, state = state_, call](const std::optional<running_work>& running) {
            const std::shared_ptr<const detail::privacy_rules> rules = state->privacy().rules();
            const auto hidden = detail::own_hidden_texts(*rules, state->addresses());
            const detail::privacy_scope scope(*rules, detail::mentions_secret(string_member(call.arguments, "expr").value_or("")));
            std::optional<capability_reply> reply = detail::refused_by_policy(*rules, call, false);
            if (!reply) {
                reply = detail::answer_without_python(state->addresses(), call.name, call.arguments, running);
            }
            if (reply->ok() && !hidden) {
                reply = reply_error(reply_code::busy,
                                    "Python is busy, and the texts of hidden variables, which no reply may have, "
                                    "could not be read from memory");
            }
            (*shared_responder)(detail::released(*rules, call, *std::move(reply), hidden.value_or(std::vector<std::string>())));
        };
    }
    // An overdue expression of the model may use up all memory, so it is interrupted. Code of the person is theirs to stop.
    item.overran = [state = state_] { state->python().interrupt_running(); };
    item.run = [shared_responder, state = state_, call, policy = state_->policy(), deadline = item.deadline]() -> task {
        capability_reply reply =
            guarded([&] { return detail::run_capability({*state, call, policy, deadline}); },
                    [&](std::string_view what) {
                        return detail::released(*state->privacy().rules(), call, reply_error(reply_code::internal, std::string(what)));
                    });
        return [shared_responder, reply = std::move(reply)]() mutable { (*shared_responder)(std::move(reply)); };
    };
    state_->python().queue().push(std::move(item));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python
