#include "runs.hpp"

#include <pyaichat/agent/basic_agent.hpp>

#include "errors.hpp"
#include "gil.hpp"
#include "json_values.hpp"
#include "messages.hpp"
#include "policies.hpp"
#include "providers.hpp"
#include "sessions.hpp"
#include "sources.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace bindings {

namespace {

using namespace std::chrono_literals;

ai::duration to_duration(double seconds) {
    // `check` refuses what is out of range; a cast of such a number would be undefined.
    constexpr double longest = 1e9;
    return std::chrono::duration_cast<ai::duration>(std::chrono::duration<double>(std::min(std::max(seconds, -longest), longest)));
}

ai::limits limits_from_python(const py::dict& from) {
    ai::limits out;
    const auto number = [&](const char* name, auto& into) {
        if (from.contains(name)) {
            into = from[name].cast<std::remove_reference_t<decltype(into)>>();
        }
    };
    const auto span = [&](const char* name, ai::duration& into) {
        if (from.contains(name)) {
            into = to_duration(from[name].cast<double>());
        }
    };
    number("max_steps", out.max_steps);
    span("step_timeout", out.step_timeout);
    span("total_timeout", out.total_timeout);
    number("invalid_response_retries", out.invalid_response_retries);
    number("transport_retries", out.transport_retries);
    span("call_timeout", out.call_timeout);
    number("max_calls_per_step", out.max_calls_per_step);
    number("max_calls", out.max_calls);
    number("max_reply_bytes", out.max_reply_bytes);
    number("max_image_bytes", out.max_image_bytes);
    number("max_images", out.max_images);
    number("max_image_bytes_total", out.max_image_bytes_total);
    number("max_tokens_total", out.max_tokens_total);
    if (from.contains("max_cost")) {
        // `dollars` makes zero of what is not a number, and zero would turn the limit off.
        const auto cost = from["max_cost"].cast<double>();
        out.max_cost = cost >= 0 ? ai::dollars(cost) : ai::money{-1};
    }
    number("max_recoveries", out.max_recoveries);
    if (from.contains("approval_timeout") && !from["approval_timeout"].is_none()) {
        span("approval_timeout", out.approval_timeout.emplace());
    }
    number("parallel_reads", out.parallel_reads);
    number("max_repeats", out.max_repeats);
    raise_if_failed(ai::check(out));
    return out;
}

/// A journal file that several runs write.
struct shared_journal {
    std::shared_ptr<ai::file_journal> file;

    ai::result<void> append(const ai::journal_record& record) { return file->append(record); }
    ai::result<std::uint64_t> claim(const std::string& run_id, std::uint64_t last) { return file->claim(run_id, last); }
};

const char* name_of(ai::progress reached) {
    switch (reached) {
        case ai::progress::working: return "working";
        case ai::progress::waiting: return "waiting";
        case ai::progress::awaiting_approval: return "awaiting_approval";
        case ai::progress::done: break;
    }
    return "done";
}

/// Drops the tasks that the executor of an agent would get: `run_provider` uses the threads of the module.
struct no_executor {
    void submit(ai::task) {}
};

void add_source(ai::any_capabilities& all, ai::agent_options& options, py::handle source, const object_ref& invoke,
                const std::shared_ptr<const waker>& wake) {
    ai::result<void> added;
    if (py::isinstance<ai::python::session>(source)) {
        added = all.add(source.cast<ai::python::session>());
    } else if (py::isinstance<ai::python::attached_process>(source)) {
        added = all.add(source.cast<ai::python::attached_process>());
    } else if (py::isinstance<host_source>(source)) {
        added = source.cast<std::shared_ptr<host_source>>()->add_to(all, options, wake);
    } else if (py::isinstance<declared_functions>(source)) {
        added = all.add(python_source(source.cast<std::shared_ptr<declared_functions>>()->list, invoke, wake));
    } else {
        added = all.add(python_source(object_ref(source.attr("specs")), object_ref(source.attr("invoke")), wake));
    }
    raise_if_failed(added);
}

std::shared_ptr<run_handle> start(const std::shared_ptr<named_provider>& provider, const std::string& question,
                                  const std::shared_ptr<ai::conversation>& history, const std::string& context,
                                  const std::string& instructions, const py::dict& limits, const py::list& sources, py::object invoke,
                                  const py::object& approval, const py::list& hooks, const py::object& journal, const py::object& schema,
                                  const py::list& images, bool wakes) {
    release_dropped();
    const auto wake = wakes ? std::make_shared<const waker>() : nullptr;
    const object_ref invoked(std::move(invoke));
    ai::agent_options options{.instructions = instructions, .limits = limits_from_python(limits)};
    ai::any_capabilities capabilities;
    for (const py::handle each : sources) {
        add_source(capabilities, options, each, invoked, wake);
    }
    if (!approval.is_none()) {
        options.approval = approval_in_python(object_ref(approval));
    }
    for (const py::handle each : hooks) {
        options.hooks.emplace_back(python_hooks(object_ref(py::reinterpret_borrow<py::object>(each))));
    }
    if (!journal.is_none()) {
        options.journal = journal.cast<shared_journal>();
    }
    const auto events = std::make_shared<std::deque<ai::event>>();
    ai::basic_agent<run_provider, ai::any_capabilities, ai::steady_clock, no_executor> agent(run_provider(provider->provider, wake),
                                                                                             std::move(capabilities), std::move(options));
    ai::run run = agent.ask({.question = question,
                             .history = *history,
                             .context = context,
                             .images = images_from_python(images),
                             .answer_schema = from_python(schema)},
                            ai::on{[events](const ai::event& happened) { events->push_back(happened); }});
    return std::make_shared<run_handle>(std::move(run), events, wake);
}

}  // namespace

template <class Step>
const char* run_handle::alone(Step step) {
    if (used_.exchange(true)) {
        raise("Error", {.message = "this run is used by another thread, or by its own callback", .hint = "Start a run for each thread."});
    }
    ai::progress reached = ai::progress::waiting;
    {
        const without_gil released;
        reached = step();
    }
    used_ = false;
    release_dropped();
    return name_of(reached);
}

const char* run_handle::wait(double seconds) {
    return alone([&] { return run_.wait_for(to_duration(seconds)); });
}

const char* run_handle::wait_for_events(double seconds) {
    return alone([&] {
        wake_->drain();
        const ai::progress reached = run_.pump(5ms);
        if (reached == ai::progress::waiting && events_->empty()) {
            wake_->wait(to_duration(seconds));
            return run_.pump(5ms);
        }
        return reached;
    });
}

const char* run_handle::pump() {
    return alone([&] {
        if (wake_) {
            wake_->drain();
        }
        return run_.pump(5ms);
    });
}

py::list run_handle::take_events() {
    py::list out;
    for (; !events_->empty(); events_->pop_front()) {
        out.append(event_to_python(events_->front()));
    }
    return out;
}

void run_handle::cancel() const {
    const without_gil released;
    run_.cancel();
    if (wake_) {
        wake_->notify();
    }
}

py::dict run_handle::answer() const {
    return answer_to_python(run_.reply());
}

py::list run_handle::pending() const {
    py::list out;
    for (const ai::pending_call& each : run_.pending()) {
        py::dict call = call_to_python(each.call);
        call["reason"] = to_str(each.reason);
        out.append(call);
    }
    return out;
}

void run_handle::resume(std::uint64_t call, const py::tuple& decision) {
    ai::call_decision made = decision_from_python(decision);
    if (const ai::result<void> resumed = run_.resume(call, std::move(made)); !resumed) {
        raise("Error", resumed.error());
    }
}

void add_runs(py::module_& module) {
    py::class_<run_handle, std::shared_ptr<run_handle>>(module, "Run")
        .def("wait", &run_handle::wait)
        .def("wait_for_events", &run_handle::wait_for_events)
        .def("pump", &run_handle::pump)
        .def("take_events", &run_handle::take_events)
        .def("cancel", &run_handle::cancel)
        .def("answer", &run_handle::answer)
        .def("pending", &run_handle::pending)
        .def("resume", &run_handle::resume)
        .def_property_readonly("descriptor", &run_handle::descriptor);
    py::class_<shared_journal>(module, "Journal").def(py::init([](const std::string& path) {
        return shared_journal{std::make_shared<ai::file_journal>(value_or_raise(ai::file_journal::open(path)))};
    }));
    module.def("start", &start, py::arg("provider"), py::arg("question"), py::arg("history"), py::arg("context"), py::arg("instructions"),
               py::arg("limits"), py::arg("sources"), py::arg("invoke"), py::arg("approval"), py::arg("hooks"), py::arg("journal"),
               py::arg("schema"), py::arg("images"), py::arg("wakes"));
    module.def("check_limits", [](const py::dict& limits) { static_cast<void>(limits_from_python(limits)); });
}

}  // namespace bindings
