#include "agent/driver/run_driver.hpp"

#include "agent/machine/image_limits.hpp"
#include "agent/machine/judge_response.hpp"
#include "agent/machine/shorten_reply.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Marks the driver as active, so a callback cannot reenter it.
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

run_driver::run_driver(std::shared_ptr<run_policies> policies, run_machine machine, run_log log, on observers)
    : policies_(std::move(policies)),
      log_(std::move(log)),
      machine_(std::move(machine)),
      hooks_(policies_->options.hooks, mailbox_),
      approval_(policies_->options.approval),
      observers_(std::move(observers)) {
    if (!hooks_.empty()) {
        machine_.use_hooks();
    }
}

progress run_driver::pump(duration budget) {
    if (pumping_) {
        return progress::working;
    }
    const instant from = now();
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
        } else if (machine_.has_orders()) {
            reached = perform();
        } else if (const event* happened = machine_.take_event()) {
            if (!hooks_.empty() || observers_) {
                // Copied if an observer can call `resume`, which adds events.
                machine_.is_pending() ? deliver(event(*happened)) : deliver(*happened);
                check_deadline(at);
            }
        } else if (machine_.is_urgent()) {
            reached = perform();
        } else if (std::optional<mailbox::item> item = late < most_late ? mailbox_->take() : std::nullopt) {
            // If the host pumps late, inputs that have arrived precede the deadline, but at most `most_late`: a flood must not delay it.
            late += at >= machine_.deadline() ? 1 : 0;
            take(std::move(*item));
        } else if (at >= machine_.deadline()) {
            feed(input::woken{});
            late = 0;
        } else {
            reached = perform();
        }
        if (reached == progress::waiting) {
            resting_until_ = machine_.deadline();
        }
        if (reached != progress::working) {
            return reached;
        }
    }
    return progress::done;
}

/// Records an input, then feeds it: the journal is written ahead.
void run_driver::feed(machine_input&& in) {
    const instant at = now();
    if (machine_.is_recorded(in)) {
        recording_ = true;
        log_.record(in, at);
        recording_ = false;
    }
    if (log_.broken() && log_.broken()->code == errc::lease_lost) {
        machine_.stop(*log_.broken(), at);
    }
    machine_.feed(std::move(in), at);
    if (!machine_.has_begun()) {
        work_.request_stop();  // the machine has a new action, so that work is obsolete
    }
}

void run_driver::deliver(const event& happened) {
    hooks_.on_event(happened);
    observers_(happened);
}

void run_driver::take(mailbox::item&& item) {
    if (auto* work = std::get_if<task>(&item)) {
        (*work)();
    } else {
        feed(std::get<machine_input>(std::move(item)));
    }
}

// ---- actions

progress run_driver::perform() {
    // `instant::min()`: `next` must not feed `woken`, which `feed` has to record.
    const machine_action& next = machine_.next(instant::min());
    if (std::holds_alternative<action::finished>(next)) {
        mailbox_->close();
        return progress::done;
    }
    if (std::holds_alternative<action::await_approval>(next)) {
        return progress::awaiting_approval;
    }
    if (std::holds_alternative<action::wait>(next)) {
        return progress::waiting;
    }
    std::visit(
        [this]<class Action>(const Action& effect) {
            if constexpr (requires { start(effect); }) {
                start(effect);
            }
        },
        next);
    return progress::working;
}

result<capability_list> run_driver::declared() {
    return guarded([&] { return policies_->declared(); },
                   [](std::string_view thrown) -> result<capability_list> {
                       return failure{.code = errc::internal, .message = "the capabilities could not be listed: " + std::string(thrown)};
                   });
}

/// A limit that cannot be kept must not pass for one, so the run ends before its next model call.
result<capability_list> run_driver::refuse_max_cost() {
    return failure{.code = errc::invalid_argument,
                   .message = "limits::max_cost is set, but the cost of the model is not known",
                   .hint = "Give the agent a provider that tells its cost, such as pyaichat::priced, or set limits::max_cost to 0."};
}

/// Feeds the current declarations if they are not those of the step.
void run_driver::relist() {
    if (result<capability_list> listed = declared(); !listed || !(*listed == machine_.declared())) {
        feed(input::declarations{.offered = std::move(listed), .takes_answer_schema = takes_answer_schema()});
    }
}

bool run_driver::takes_answer_schema() {
    if (!takes_answer_schema_) {
        const json& schema = machine_.answer_schema();
        takes_answer_schema_ =
            !schema.is_null() && guarded([&] { return policies_->takes_answer_schema(schema); }, [](std::string_view) { return false; });
    }
    return *takes_answer_schema_;
}

void run_driver::start(const action::list_capabilities&) {
    result<capability_list> listed = machine_.bounds().max_cost == money{} || policies_->tells_cost() ? declared() : refuse_max_cost();
    feed(input::declarations{.offered = std::move(listed), .takes_answer_schema = takes_answer_schema()});
}

void run_driver::start(const action::call_model& action) {
    const instant before = now();
    const std::uint64_t attempt = action.attempt;
    machine_.began();
    hooks_.before_model(action.request);
    delta_sink sink([box = mailbox_, attempt](delta_sink::kind what, std::string_view piece) {
        box->post(input::model_delta{.attempt = attempt, .what = what, .text = std::string(piece)});
    });
    model_reply reply([box = mailbox_, attempt](result<model_response>&& outcome) {
        if (outcome) {
            normalise(*outcome);
        }
        box->post(input::model_result{.attempt = attempt, .outcome = std::move(outcome)});
    });
    guarded([&] { policies_->call_model(action.request, {.stop = open_work(), .sink = std::move(sink), .reply = std::move(reply)}); },
            [&](std::string_view what) {
                // Fed at once, before the report of the dropped attempt arrives.
                feed(input::model_result{
                    .attempt = attempt,
                    .outcome = failure{.code = errc::internal, .message = "the model call could not be started: " + std::string(what)}});
            });
    check_deadline(before);
}

void run_driver::start(const action::invoke_capability& requested) {
    const action::invoke_capability invoke = requested;
    relist();
    const auto* still = std::get_if<action::invoke_capability>(&machine_.next(instant::min()));
    if (abandoned_ || still == nullptr || still->call != invoke.call) {
        return;  // the call was denied, because its declaration has changed, or the source has ended the run
    }
    machine_.began();
    feed(input::invoking{.call = invoke.call});
    if (log_.broken()) {
        feed(input::call_reply{
            .call = invoke.call,
            .reply = reply_error(reply_code::internal, "the journal of this run cannot be written, so no call can be made")});
        return;
    }
    capability_call call = machine_.invocation(invoke.call);
    call.cancel = invoke.depth == 0 && !invoke.is_beside ? open_work(invoke.call).get_token() : work_.get_token();
    call.others = invoke.may_nest ? others(invoke.call, invoke.depth + 1) : nested_caller();
    const instant before = now();
    if (abandoned_ || before >= machine_.deadline()) {
        return;  // the journal was slow, or dropped the run: `pump` handles both
    }
    capability_responder::output_receiver show;
    if (invoke.depth == 0) {
        show = [box = mailbox_, number = invoke.call](std::string_view text) {
            box->post(input::call_output{.call = number, .text = std::string(text)});
        };
    }
    // Hooks and the callers of nested calls get more of a reply than the model.
    const std::size_t limit = machine_.max_reply_bytes();
    const bool is_read_by_model = invoke.depth == 0 && hooks_.empty();
    capability_responder responder(
        [box = mailbox_, number = invoke.call, bytes = limit == 0 || is_read_by_model ? limit : std::max(limit, longest_reply_to_hooks),
         bounds = machine_.bounds()](capability_reply&& reply) {
            // Here, on the replying thread, because a large reply would block the host for a frame.
            normalise(reply);
            image_count images;
            bound_images(reply, bounds, images);  // before the journal gets them; the machine knows the other images of the run
            shorten_reply(reply, bytes);
            box->post(input::call_returned{.call = number, .reply = std::move(reply)});
        },
        std::move(show));
    guarded([&] { policies_->invoke(call, std::move(responder)); },
            [&](std::string_view what) {
                // Fed at once, before the reply of the dropped responder arrives.
                feed(input::call_returned{.call = invoke.call,
                                          .reply = reply_error(reply_code::internal, "`" + call.name + "` failed: " + std::string(what))});
            });
    check_deadline(before);
}

void run_driver::start(const action::review_reply& action) {
    const std::uint64_t number = action.call;
    capability_call call = machine_.invocation(number);
    call.cancel = work_.get_token();
    machine_.began();
    review(std::move(call), machine_.take_returned(number));
}

/// Passes a reply to the hooks, and feeds what they make of it.
void run_driver::review(capability_call call, capability_reply reply) {
    const std::uint64_t number = call.number;
    hooks_.after_call(std::move(call), std::move(reply), [this, number](capability_reply reviewed) {
        normalise(reviewed);
        if (reviewed.code == reply_code::suspended) {
            reviewed = reply_error(reply_code::internal, "a hook cannot suspend a call");
        }
        feed(input::call_reply{.call = number, .reply = std::move(reviewed)});
    });
}

void run_driver::start(const action::reply_to_caller& action) {
    capability_reply reply = action.reply;
    const std::uint64_t ticket = action.ticket;
    machine_.began();
    mailbox_->answer(ticket, std::move(reply));
}

void run_driver::start(const action::collect_notes& action) {
    machine_.began();
    hooks_.on_answer({.question = machine_.question(), .text = action.answer.text, .reason = action.answer.reason},
                     [this](std::string notes) { feed(input::notes{.text = std::move(notes)}); });
}

/// Returns the decisions of `decide`, which denies the calls if it throws or returns too few decisions.
template <class Decide>
run_driver::opinions run_driver::opinions_of(std::span<const proposed_call> batch, std::string_view who, Decide decide) {
    std::vector<call_decision> decisions = guarded(decide, [&](std::string_view thrown) {
        return std::vector(batch.size(), call_decision::deny("the approval policy failed: " + std::string(thrown)));
    });
    if (decisions.size() < batch.size()) {
        decisions.resize(batch.size(), call_decision::deny(std::string(who) + " did not decide about this call"));
    }
    opinions all;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        all.push_back({.call = batch[i].number, .decision = std::move(decisions[i])});
    }
    return all;
}

void run_driver::start(const action::ask_approval& action) {
    const std::uint64_t nested = action.nested;
    const instant before = nested == 0 ? now() : instant::max();  // the deadline of a nested call is not checked here
    if (hooks_.empty() && !approval_ && !policies_->reviews_calls()) {
        machine_.began();
        feed(input::opinions{.nested = nested});
        return;
    }
    relist();  // the sources route a review by their last list, which may be that of another run
    const auto* still = std::get_if<action::ask_approval>(&machine_.next(instant::min()));
    if (abandoned_ || still == nullptr || still->nested != nested) {
        return;  // every call was denied, because its declaration has changed, or the source has ended the run
    }
    machine_.began();
    const std::vector<proposed_call> batch = machine_.proposed(nested);
    if (batch.empty()) {
        return;  // the nested call was denied for the same reason
    }
    opinions sources = opinions_of(batch, "the capability's own approval policy", [&] { return policies_->review(batch); });
    opinions host = approval_ ? opinions_of(batch, "the approval policy", [&] { return approval_.decide(batch); }) : opinions();
    auto decide = [this, nested, before, all = std::move(sources), host = std::move(host)](opinions hooked) mutable {
        // The order matters: of two equally strict decisions, the reason of the first is used.
        all.insert(all.end(), std::make_move_iterator(hooked.begin()), std::make_move_iterator(hooked.end()));
        all.insert(all.end(), std::make_move_iterator(host.begin()), std::make_move_iterator(host.end()));
        std::erase_if(all, [](const input::opinions::opinion& opinion) { return opinion.decision.what == call_decision::kind::abstain; });
        for (input::opinions::opinion& opinion : all) {
            if (!normalise(opinion.decision.arguments)) {
                opinion.decision = call_decision::deny("the changed arguments nest too deep");
            }
        }
        check_deadline(before);
        feed(input::opinions{.nested = nested, .all = std::move(all)});
    };
    hooks_.empty() ? decide({}) : hooks_.before_call(batch, std::move(decide));
    check_deadline(before);
}

/// Returns the function with which a call makes nested calls. Thread-safe and reentrant, because it only posts.
nested_caller run_driver::others(std::uint64_t parent, int depth) const {
    return [box = mailbox_, parent, depth](std::string name, json arguments, capability_responder responder) {
        if (!normalise(arguments)) {
            responder(reply_error(reply_code::invalid_args, "the arguments nest too deep"));
            return;
        }
        if (const std::uint64_t ticket = box->enlist(std::move(responder)); ticket != 0) {
            box->post(input::nested_call{
                .parent = parent, .ticket = ticket, .depth = depth, .name = std::move(name), .arguments = std::move(arguments)});
        }
    };
}

/// Applies a deadline that has passed since `before`, while foreign code ran on this thread. Inputs that arrived meanwhile are late.
void run_driver::check_deadline(instant before) {
    if (before < machine_.deadline() && now() >= machine_.deadline()) {
        feed(input::woken{});
    }
}

/// Replaces the source of the tokens. `call` is the first of the calls that get one; 0 = a model call.
cancel_source run_driver::open_work(std::uint64_t call) {
    work_ = cancel_source();
    mailbox_->opened(work_, call);
    return work_;
}

// ---- the handle

void run_driver::abandon() {
    abandoned_ = true;
    if (mailbox_->take_cancel() && machine_.is_recorded(input::cancel{})) {
        log_.record(input::cancel{}, now());  // a run that was cancelled must not continue after a crash
    }
    mailbox_->close();
    work_.request_stop();
}

/// Fails while the journal writes a record: what it does meanwhile would be recorded first.
result<void> run_driver::check_recording() const {
    if (!recording_) {
        return {};
    }
    return failure{.code = errc::invalid_state,
                   .message = "a journal cannot resume the run whose record it writes",
                   .hint = "Resume the run when `append` has returned."};
}

result<void> run_driver::resume(std::vector<call_ruling> rulings) {
    input::decisions decided{.rulings = std::move(rulings)};
    for (call_ruling& ruling : decided.rulings) {
        normalise(ruling.decision.arguments);
    }
    const result<void> idle = check_recording();
    if (result<void> fit = idle ? machine_.check(decided) : idle; !fit) {
        return fit;
    }
    resting_until_ = instant::min();
    feed(std::move(decided));
    return log_.broken() ? result<void>(*log_.broken()) : result<void>();
}

result<void> run_driver::resume(std::uint64_t call, capability_reply reply) {
    const auto self = shared_from_this();  // a hook may destroy the handle
    if (const result<void> idle = check_recording(); !idle) {
        return idle;
    }
    std::optional<active> inside;
    if (!pumping_) {
        inside.emplace(*this);
        if (machine_.is_pending() && std::holds_alternative<action::list_capabilities>(machine_.next(instant::min()))) {
            static_cast<void>(perform());  // after a restore
        }
    }
    input::call_returned returned{.call = call, .reply = std::move(reply)};
    if (result<void> fits = machine_.check(returned); !fits) {
        return fits;
    }
    normalise(returned.reply);
    if (hooks_.empty() || returned.reply.code == reply_code::suspended) {
        feed(std::move(returned));
    } else {
        // The call stays suspended until they have reviewed it: a pause must not end by what is not in the journal.
        review(machine_.invocation(call), std::move(returned.reply));
    }
    return log_.broken() ? result<void>(*log_.broken()) : result<void>();
}

json run_driver::snapshot() {
    if (pumping_) {
        return nullptr;
    }
    const auto self = shared_from_this();
    const active inside(*this);
    if (mailbox_->take_cancel()) {
        feed(input::cancel{});
    }
    // The snapshot includes decisions and replies that have arrived.
    while (std::optional<mailbox::item> item = abandoned_ ? std::nullopt : mailbox_->take()) {
        take(std::move(*item));
        while (machine_.has_orders() && !abandoned_) {
            static_cast<void>(perform());
        }
    }
    feed(input::notes{});  // an ended run does not wait for further notes
    // The events are delivered here, because the snapshot does not contain them.
    while (const event* happened = abandoned_ ? nullptr : machine_.take_event()) {
        deliver(*happened);
    }
    json document = machine_.snapshot(now());
    if (log_.last() > 0) {
        document["records"] = log_.last();
    }
    return document;
}

void run_driver::sleep(duration span, loop_claim& claim) {
    const instant at = now();
    const instant until = machine_.deadline();
    if (until > at) {
        mailbox_->wait(std::min(span, until == instant::max() ? duration::max() : until - at), claim);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
