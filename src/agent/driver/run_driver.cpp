#include <pyaichat/agent/detail/run_driver.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

run_log begun(any_journal journal, const run_setup& setup, instant now) {
    run_log log(std::move(journal), setup.run_id);
    log.begin(setup, now);
    return log;
}

run_log continued(any_journal journal, const recovered_run& from, instant now) {
    run_log log(std::move(journal), from.run_id, from.records);
    if (!from.machine.finished()) {
        log.recovered(now);
    }
    return log;
}

}  // namespace

/// For as long as the driver is inside, so that a callback cannot enter it again.
class run_driver::active {
public:
    explicit active(run_driver& driver) : driver_(driver) {
        driver_.pumping_ = true;
        driver_.resting_until_ = instant::min();
    }
    active(const active&) = delete;
    active& operator=(const active&) = delete;
    ~active() { driver_.pumping_ = false; }

private:
    run_driver& driver_;
};

run_driver::run_driver(run_setup setup, instant now, on observers, const agent_options& options)
    : log_(begun(options.journal, setup, now)),
      machine_(std::move(setup), now),
      approval_(options.approval),
      hooks_(options.hooks, mailbox_),
      observers_(std::move(observers)) {}

run_driver::run_driver(recovered_run from, instant now, on observers, const agent_options& options)
    : log_(continued(options.journal, from, now)),
      machine_(std::move(from.machine)),
      approval_(options.approval),
      hooks_(options.hooks, mailbox_),
      observers_(std::move(observers)) {}

run_driver::run_driver(run_machine restored, on observers, const agent_options& options)
    : log_(any_journal(), {}),
      machine_(std::move(restored)),
      approval_(options.approval),
      hooks_(options.hooks, mailbox_),
      observers_(std::move(observers)) {}

run_driver::~run_driver() = default;

progress run_driver::pump(duration budget) {
    PYAICHAT_ASSERT(!pumping_, "a run must not be pumped from its own callback");
    if (pumping_) {
        return progress::working;
    }
    const instant from = now();
    if (from < resting_until_ && !mailbox_->has_news()) {
        return progress::waiting;
    }
    const auto self = shared_from_this();  // the handle may be destroyed by a callback
    const active inside(*this);

    int late = 0;
    bool worked = false;
    for (instant at = from; !abandoned_; at = now()) {
        if (std::exchange(worked, true) && at - from >= budget) {
            return progress::working;
        }
        progress reached = progress::working;
        if (mailbox_->take_cancel()) {
            feed(input::cancel{});
        } else if (noting_until_) {
            reached = await_notes(at);
        } else if (const event* happened = machine_.take_event()) {
            if (!hooks_.empty() || observers_) {
                deliver(*happened);
                check_deadline(at);
            }
        } else if (machine_.finished() || std::holds_alternative<action::list_capabilities>(wanted())) {
            reached = perform();  // whatever has come can wait, or comes too late
        } else if (std::optional<mailbox::item> came = late < most_late ? mailbox_->take() : std::nullopt) {
            // What has come counts, also when the host pumps so late that a deadline has passed meanwhile; but somebody who never stops
            // talking does not hold up the end.
            late += at >= machine_.deadline() ? 1 : 0;
            take(std::move(*came));
        } else if (at >= machine_.deadline()) {
            feed(input::woken{});
            late = 0;
        } else {
            reached = perform();
        }
        if (reached == progress::waiting) {
            resting_until_ = noting_until_.value_or(machine_.deadline());
        }
        if (reached != progress::working) {
            return reached;
        }
    }
    return progress::done;
}

/// Without waking the machine: that is an input like others, and recorded like them.
const machine_action& run_driver::wanted() {
    return machine_.next(instant::min());
}

/// What changes the run is recorded first.
void run_driver::feed(machine_input in) {
    const instant at = now();
    if (const auto* decided = std::get_if<input::decisions>(&in)) {
        for (const call_ruling& ruling : decided->rulings) {
            std::erase(ruled_, ruling.call);
        }
    }
    log_.record(in, at);
    machine_.feed(std::move(in), at);
    close_work();
    if (!std::holds_alternative<action::ask_approval>(wanted())) {
        asking_ = 0;
    }
    if (machine_.finished() && !std::exchange(answered_, true)) {
        ask_for_notes();
    }
}

void run_driver::deliver(const event& happened) {
    hooks_.on_event(happened);
    observers_(happened);
}

progress run_driver::perform() {
    const machine_action& what = wanted();
    if (std::holds_alternative<action::list_capabilities>(what)) {
        list_capabilities();
        return progress::working;
    }
    if (const auto* model = std::get_if<action::call_model>(&what)) {
        if (model->attempt == attempt_) {
            return progress::waiting;
        }
        start(*model);
        return progress::working;
    }
    if (std::holds_alternative<action::ask_approval>(what)) {
        if (asking_ != 0) {
            return progress::waiting;
        }
        ask();
        return progress::working;
    }
    if (std::holds_alternative<action::await_approval>(what)) {
        return progress::awaiting_approval;
    }
    if (const auto* call = std::get_if<action::invoke_capability>(&what)) {
        if (call->call == call_.number) {
            return progress::waiting;
        }
        start(*call);
        return progress::working;
    }
    if (std::holds_alternative<action::wait>(what)) {
        return progress::waiting;
    }
    mailbox_->close();
    desk_->close();
    return progress::done;
}

void run_driver::list_capabilities() {
    feed(input::declarations{guarded([&] { return declared(); },
                                     [](std::string_view thrown) {
                                         return result<capability_list>(
                                             failure{.code = errc::internal,
                                                     .message = "a source could not say what it declares: " + std::string(thrown)});
                                     })});
}

void run_driver::start(const action::call_model& wanted) {
    const instant before = now();
    attempt_ = wanted.attempt;
    hooks_.before_model(wanted.request);
    std::optional<std::string> thrown;
    guarded([&] { call_model(wanted, open_work()); }, [&](std::string_view what) { thrown = what; });
    if (thrown) {
        // Fed at once: unwinding has dropped the work, and what that reports comes too late now.
        feed(input::model_result{.attempt = attempt_,
                                 .outcome = failure{.code = errc::internal, .message = "the model call could not be started: " + *thrown}});
    }
    check_deadline(before);
}

void run_driver::start(const action::invoke_capability& wanted) {
    const std::uint64_t number = wanted.call;
    call_ = machine_.invocation();
    feed(input::invoking{.call = number});
    if (log_.broken()) {
        feed(input::call_reply{.call = number, .reply = unrecorded()});
        return;
    }
    call_.cancel = open_work().get_token();
    call_.others = others(number, 1);
    make_call(
        call_, [number](capability_reply reply) { return input::call_reply{.call = number, .reply = std::move(reply)}; },
        [box = mailbox_, number](std::string_view text) { box->post(input::call_output{.call = number, .text = std::string(text)}); });
}

capability_reply run_driver::unrecorded() {
    return reply_error(reply_code::internal, "the journal of this run cannot be written, so no call can be made");
}

void run_driver::make_call(const capability_call& call, std::function<machine_input(capability_reply)> replied,
                           capability_responder::output_receiver show) {
    const instant before = now();
    if (abandoned_ || before >= machine_.deadline()) {
        return;  // the journal took its time, or dropped the run: the pump sees to it, and a call around this one is over
    }
    capability_responder responder([box = mailbox_, replied](capability_reply reply) { box->post(replied(std::move(reply))); },
                                   std::move(show));
    std::optional<std::string> thrown;
    guarded([&] { invoke(call, std::move(responder)); }, [&](std::string_view what) { thrown = what; });
    if (thrown) {
        // Taken at once: unwinding has dropped the responder, and its "abandoned" comes too late now.
        take_input(replied(reply_error(reply_code::internal, "`" + call.name + "` failed: " + *thrown)));
    }
    check_deadline(before);
}

/// Foreign code has held this thread since `before`. If a deadline has passed in that time, what it or others answered meanwhile is late.
void run_driver::check_deadline(instant before) {
    if (before < machine_.deadline() && now() >= machine_.deadline()) {
        feed(input::woken{});
    }
}

cancel_source run_driver::open_work() {
    work_ = cancel_source();
    mailbox_->opened(work_);
    return work_;
}

/// Trips the work that the machine no longer waits for.
void run_driver::close_work() {
    const auto* model = std::get_if<action::call_model>(&wanted());
    const auto* call = std::get_if<action::invoke_capability>(&wanted());
    const bool wanted_still = (model != nullptr && model->attempt == attempt_) || (call != nullptr && call->call == call_.number);
    if (!wanted_still) {
        work_.request_stop();
    }
}

void run_driver::abandon() {
    abandoned_ = true;
    mailbox_->close();
    work_.request_stop();
    desk_->close();
}

const answer& run_driver::reply() {
    if (const auto* paused = std::get_if<action::await_approval>(&wanted())) {
        return paused->answer;
    }
    PYAICHAT_ASSERT(done(), "the run is not done: pump it, or wait for it");
    return noted_ ? *noted_ : std::get<action::finished>(wanted()).answer;
}

answer run_driver::take_reply() {
    if (!done()) {
        return reply();
    }
    return noted_ ? std::move(*noted_) : machine_.take_answer();
}

std::vector<pending_call> run_driver::pending() {
    const auto* paused = std::get_if<action::await_approval>(&wanted());
    std::vector<pending_call> calls = paused != nullptr ? paused->calls : std::vector<pending_call>();
    std::erase_if(calls, [this](const pending_call& one) { return is_ruled(one.call.number); });
    return calls;
}

bool run_driver::is_ruled(std::uint64_t call) const {
    return std::find(ruled_.begin(), ruled_.end(), call) != ruled_.end();
}

result<void> run_driver::resume(std::vector<call_ruling> rulings) {
    input::decisions made{.rulings = std::move(rulings)};
    for (const call_ruling& ruling : made.rulings) {
        if (is_ruled(ruling.call)) {
            return failure{.code = errc::invalid_state,
                           .message = "call " + std::to_string(ruling.call) + " has been decided about already"};
        }
    }
    if (result<void> fine = machine_.check(made); !fine) {
        return fine;
    }
    for (const call_ruling& ruling : made.rulings) {
        if (ruling.decision.what != call_decision::kind::abstain && ruling.decision.what != call_decision::kind::pending) {
            ruled_.push_back(ruling.call);
        }
    }
    mailbox_->post(std::move(made));  // not fed: this may be inside a callback
    return {};
}

json run_driver::snapshot() {
    PYAICHAT_ASSERT(!pumping_, "a run must not be written down from its own callback");
    const auto self = shared_from_this();
    const active inside(*this);
    while (std::optional<mailbox::item> came = abandoned_ ? std::nullopt : mailbox_->take()) {
        if (!machine_.finished() || std::holds_alternative<task>(*came)) {
            take(std::move(*came));  // decisions and replies that have come are part of the run
        }
    }
    noting_until_.reset();  // whoever writes a run down does not wait: an end is told with the notes that are in
    // What has happened is told here, once: whoever goes on from the snapshot does not know of it.
    while (const event* happened = abandoned_ ? nullptr : machine_.take_event()) {
        deliver(*happened);
    }
    return machine_.snapshot(now());
}

void run_driver::sleep(duration span) {
    const instant at = now();
    const instant until = noting_until_.value_or(machine_.deadline());
    if (until > at) {
        mailbox_->wait(std::min(span, until == instant::max() ? duration::max() : until - at));
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
