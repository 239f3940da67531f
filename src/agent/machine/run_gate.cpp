#include "agent/machine/run_state.hpp"
#include "agent/machine/shorten_reply.hpp"
#include "message/value_depth.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

using stage = detail::open_call::stage;
using kind = call_decision::kind;

capability_reply unknown_function(const std::string& name, const capability_list& declared) {
    std::vector<std::string> names;
    for (const capability_spec& spec : declared) {
        names.push_back(spec.name);
    }
    const std::string_view nearest = detail::nearest_name(name, names);
    json details = json::object();
    std::string text = "there is no function `" + detail::one_line(name, 80) + "`";
    if (!nearest.empty()) {
        details["nearest"] = std::string(nearest);
        text += "; did you mean `" + std::string(nearest) + "`?";
    }
    return reply_error(reply_code::unknown_function, std::move(text), std::move(details));
}

capability_reply denied(const std::string& reason) {
    return reply_error(reply_code::denied, detail::is_blank(reason) ? "this call was not allowed" : reason);
}

/// The maximum number of reviews of a call after its arguments were changed.
constexpr int most_rounds = 3;

/// Returns whether a call runs if every policy and hook abstains.
bool allowed_by_default(const detail::open_call& call) {
    return call.from == provenance::host || (call.from == provenance::file && call.effects == effects::read);
}

}  // namespace

proposed_call detail::open_call::proposal() const {
    return {.number = number,
            .id = proposed->id,
            .name = proposed->name,
            .arguments = proposed->arguments,
            .effects = effects,
            .from = from,
            .origin = origin};
}

void detail::open_call::change(json arguments) {
    call_part changed = *proposed;
    changed.arguments = std::move(arguments);
    proposed = std::make_shared<const call_part>(std::move(changed));
}

void run_machine::state::on_calls(message content, const std::vector<argument_check>& checks, instant now) {
    const detail::answer_schema::calls answers = typed ? typed->read_calls(content) : detail::answer_schema::calls();
    if (answers.value) {
        finish_by_call(std::move(content), *answers.value, now);
        return;
    }
    calls.clear();
    running = 0;
    calls_proposed shown{.step = steps};
    keep(std::move(content));
    const std::shared_ptr<const message>& kept = messages.share(messages.size() - 1);
    for (const part& piece : kept->parts) {
        if (const auto* call = piece.as<call_part>()) {
            shown.calls.push_back(*call);
            calls.push_back({.proposed = {kept, call}, .number = ++last_call_number});
        }
    }
    emit(std::move(shown), now);
    if (calls_exceeded) {
        finish_at_limit(stop_reason::max_calls, now);
        return;
    }
    static const argument_check unchecked;
    std::size_t place = 0;
    for (detail::open_call& call : calls) {
        // Checked first, so calls over the limit are not validated.
        const auto answer = answers.replies.find(place);
        std::optional<capability_reply> refused =
            answer != answers.replies.end() ? answer->second
            : std::cmp_greater_equal(place, setup.limits.max_calls_per_step)
                ? reply_error(reply_code::limit, "at most " + detail::counted(setup.limits.max_calls_per_step, "call") +
                                                     " are accepted in one step; make the other calls in the next step")
                : misfit(call, place < checks.size() ? checks[place] : unchecked);
        ++place;
        if (!refused) {
            refused = over_limit();
            calls_exceeded = calls_exceeded || refused;
        }
        if (refused) {
            deny(call, std::move(*refused), now);
        }
    }
    if (!answers.why.empty() && !count_invalid()) {
        finish_invalid(answers.why, now);
        return;
    }
    run_next_call(now);
}

/// Returns the error reply to a call that does not fit the declarations, else copies the declaration into the call.
std::optional<capability_reply> run_machine::state::misfit(detail::open_call& call, const argument_check& check) const {
    const pyaichat::capability_list& callable = call.depth == 0 ? offered() : declared;
    const capability_spec* spec = callable.find(call.proposed->name);
    if (spec == nullptr) {
        return unknown_function(call.proposed->name, callable);
    }
    const std::vector<schema_error> errors = callable.validate(spec->name, call.proposed->arguments, check);
    if (!errors.empty()) {
        return reply_invalid_args(errors);
    }
    call.effects = spec->effects;
    call.from = spec->from;
    call.origin = spec->origin;
    call.timeout = spec->timeout;
    call.headline = spec->headline;
    return std::nullopt;
}

/// Counts a call, or returns the error reply if the limit is used up.
std::optional<capability_reply> run_machine::state::over_limit() {
    if (calls_run >= setup.limits.max_calls) {
        return reply_error(reply_code::limit, "the limit of " + detail::counted(setup.limits.max_calls, "call") +
                                                  " is used up; answer now, with what is known");
    }
    ++calls_run;
    return std::nullopt;
}

void run_machine::state::deny(detail::open_call& call, capability_reply reply, instant now) {
    detail::normalise(reply);
    detail::shorten_reply(reply, setup.limits.max_reply_bytes);
    emit(
        call_denied{.step = steps, .call = call.number, .name = call.proposed->name, .arguments = call.proposed->arguments, .reply = reply},
        now);
    call.reply = std::move(reply);
}

/// Denies a call that `over_limit` has counted: it is not made, so it does not count.
void run_machine::state::refuse(detail::open_call& call, capability_reply reply, instant now) {
    --calls_run;
    deny(call, std::move(reply), now);
}

// ---- approval

std::vector<proposed_call> run_machine::proposed(std::uint64_t nested) const {
    std::vector<proposed_call> batch;
    if (nested != 0) {
        const auto found = state_->undecided.find(nested);
        if (found != state_->undecided.end()) {
            batch.push_back(found->second.proposal());
        }
        return batch;
    }
    for (const detail::open_call& call : state_->calls) {
        if (!call.reply && call.asked) {
            batch.push_back(call.proposal());
        }
    }
    return batch;
}

void run_machine::state::on(input::opinions opinions, instant now) {
    if (opinions.nested != 0) {
        detail::open_call call = std::move(undecided.extract(opinions.nested).mapped());
        decide_nested(std::move(call), std::move(opinions), now);
        return;
    }
    for (detail::open_call& call : calls) {
        // Not to calls that a person has changed since: those were not shown.
        if (!call.reply && call.at == stage::gated && std::exchange(call.asked, false)) {
            apply(call, opinions, now);
        }
    }
    run_next_call(now);
}

/// Changes the arguments of a call, which is then reviewed again. Returns why they cannot be changed, or an empty text.
std::string run_machine::state::change(detail::open_call& call, json arguments) const {
    if (const std::vector<schema_error> misfits = declared.validate(call.proposed->name, arguments); !misfits.empty()) {
        return "the arguments were changed to ones that do not fit: " + reply_invalid_args(misfits).message;
    }
    if (++call.rounds > most_rounds) {
        return "the approval policies kept changing the arguments";
    }
    call.change(std::move(arguments));
    call.at = stage::gated;
    return {};
}

/// Applies the merged decision of policies and hooks.
void run_machine::state::apply(detail::open_call& call, const input::opinions& opinions, instant now) {
    bool granted = call.by_person || allowed_by_default(call);
    call_decision merged;
    for (const input::opinions::opinion& opinion : opinions.all) {
        if (opinion.call == call.number) {
            const kind what = opinion.decision.what;
            granted = granted || (opinion.grants && (what == kind::allow || what == kind::change));
            merged = merge(std::move(merged), opinion.decision);
        }
    }
    const bool changed = (merged.what == kind::change || (merged.what == kind::ask && !merged.arguments.is_null())) &&
                         merged.arguments != call.proposed->arguments;
    std::string refused;
    if (merged.what == kind::deny) {
        refused = denied(merged.reason).message;
    } else if (changed && call.by_person) {
        refused = "an approval policy would change the arguments that a person has decided on";
    } else if (changed) {
        refused = change(call, std::move(merged.arguments));
    } else if (merged.what == kind::ask && !call.by_person) {
        call.at = stage::pending;
        call.reason = std::move(merged.reason);
    } else if (granted) {
        call.at = stage::allowed;
    } else {
        refused = "it comes from a " + std::string(to_string(call.from)) + " (" + call.origin + "), its effects are `" +
                  std::string(to_string(call.effects)) + "`, and no approval policy of the host allows it";
    }
    if (!refused.empty()) {
        refuse(call, reply_error(reply_code::denied, std::move(refused)), now);
    }
}

// ---- a person's decisions

void run_machine::state::await_approval(instant now) {
    if (!is<action::await_approval>()) {
        paused_at = now;
        approval_deadline = setup.limits.approval_timeout ? after(now, *setup.limits.approval_timeout) : instant::max();
    }
    action::await_approval request{.calls = pending_calls()};
    std::string undecided_calls;
    std::string sentence;
    for (const pending_call& open : request.calls) {
        const std::string shown = "`" + describe_call(open.call.name, open.call.arguments) + "`";
        if (open.suspended) {
            sentence += "Waiting for the reply to " + shown + (open.reason.empty() ? "" : " (" + open.reason + ")") + ". ";
        } else {
            undecided_calls += (undecided_calls.empty() ? "" : ", ") + shown;
        }
    }
    sentence += undecided_calls.empty() ? "" : "Waiting for approval of " + undecided_calls + ". ";
    sentence.pop_back();
    request.answer = state_of_things(stop_reason::awaiting_approval, closing(sentence));
    request.answer.events = events;
    request.answer.messages.push_back(detail::replies_to(calls));
    message closing_message = model_message(request.answer.text);
    closing_message.synthetic = true;
    request.answer.messages.push_back(std::move(closing_message));
    become(std::move(request));
}

const detail::open_call* run_machine::state::pending(std::uint64_t number) const noexcept {
    const auto found =
        std::find_if(calls.begin(), calls.end(), [&](const detail::open_call& call) { return call.number == number && call.is_pending(); });
    return found != calls.end() ? &*found : nullptr;
}

detail::open_call* run_machine::state::suspended(std::uint64_t number) const noexcept {
    const detail::open_call* call = pending(number);
    return call != nullptr && call->at == stage::suspended ? const_cast<detail::open_call*>(call) : nullptr;
}

bool run_machine::state::is_pending() const noexcept {
    return std::any_of(calls.begin(), calls.end(), [](const detail::open_call& call) { return call.is_pending(); });
}

result<void> run_machine::state::check(const call_ruling& ruling) const {
    const detail::open_call* call = pending(ruling.call);
    if (call == nullptr) {
        return failure{.code = errc::invalid_state,
                       .message = "call " + std::to_string(ruling.call) + " does not wait for approval",
                       .hint = "Decide about the calls that the run lists as pending."};
    }
    if (call->at == stage::suspended) {
        return failure{.code = errc::invalid_state,
                       .message = "call " + std::to_string(ruling.call) + " was suspended and waits for its reply, not for approval",
                       .hint = "Pass the reply to `resume`."};
    }
    if (nests_deeper_than(ruling.decision.arguments, detail::max_value_depth)) {
        return failure{.code = errc::invalid_argument, .message = "the arguments given for `" + call->proposed->name + "` nest too deep"};
    }
    if (ruling.decision.what != kind::change || relisting) {
        return {};
    }
    const std::vector<schema_error> mismatches = declared.validate(call->proposed->name, ruling.decision.arguments);
    if (!mismatches.empty()) {
        return failure{
            .code = errc::invalid_argument,
            .message = "the arguments given for `" + call->proposed->name + "` do not fit: " + reply_invalid_args(mismatches).message,
            .hint = "Give arguments that fit the declaration, or allow or deny the call."};
    }
    return {};
}

std::vector<pending_call> run_machine::state::pending_calls() const {
    std::vector<pending_call> open;
    for (const detail::open_call& call : calls) {
        if (call.is_pending()) {
            open.push_back({.call = call.proposal(), .reason = call.reason, .suspended = call.at == stage::suspended});
        }
    }
    return open;
}

std::vector<pending_call> run_machine::pending() const {
    return state_->pending_calls();
}

result<void> run_machine::check(const input::call_returned& reply) const {
    if (state_->suspended(reply.call) != nullptr && !state_->relisting) {
        return {};
    }
    return failure{.code = errc::invalid_state,
                   .message = "call " + std::to_string(reply.call) + " is not suspended",
                   .hint = "Reply to a call that `pending` lists as suspended."};
}

result<void> run_machine::check(const input::decisions& decided) const {
    std::set<std::uint64_t> seen;
    for (const call_ruling& ruling : decided.rulings) {
        if (!seen.insert(ruling.call).second) {
            return failure{.code = errc::invalid_argument,
                           .message = "there are two decisions about call " + std::to_string(ruling.call),
                           .hint = "Give one decision about each call."};
        }
        if (result<void> checked = state_->check(ruling); !checked) {
            return checked;
        }
    }
    return {};
}

void run_machine::state::on(input::decisions decided, instant now) {
    for (call_ruling& ruling : decided.rulings) {
        const auto open =
            std::find_if(calls.begin(), calls.end(), [&](const detail::open_call& call) { return call.number == ruling.call; });
        if (!check(ruling)) {
            ++ignored;
        } else if (relisting && (ruling.decision.what == kind::abstain || ruling.decision.what == kind::ask)) {
            continue;
        } else if (relisting) {
            open->decided = std::move(ruling.decision);
        } else {
            apply(*open, std::move(ruling.decision), now);
        }
    }
    if (is<action::await_approval>() && !relisting) {
        go_on_after_approval(now);
    }
}

/// Applies the decision of a person. If the person changed the arguments, policies and hooks may still restrict the call.
void run_machine::state::apply(detail::open_call& call, call_decision decision, instant now) {
    std::string refused;
    switch (decision.what) {
        case kind::abstain:
        case kind::ask: return;
        case kind::allow: call.at = stage::allowed; return;
        case kind::change:
            call.by_person = true;
            refused = change(call, std::move(decision.arguments));
            break;
        case kind::deny: refused = denied(decision.reason).message; break;
    }
    if (!refused.empty()) {
        refuse(call, reply_error(reply_code::denied, std::move(refused)), now);
    }
}

/// Continues with the first open call, because calls run in their order. If it is still pending, the run stays paused.
void run_machine::state::go_on_after_approval(instant now) {
    const auto first = std::find_if(calls.begin(), calls.end(), [](const detail::open_call& call) { return !call.reply; });
    if (first != calls.end() && first->is_pending()) {
        await_approval(now);
        return;
    }
    total_deadline = after(total_deadline, now - paused_at);
    run_next_call(now);
}

void run_machine::state::expire_approval(instant now) {
    const std::string within = " within " + describe(*setup.limits.approval_timeout);
    for (detail::open_call& call : calls) {
        if (call.is_pending() && call.at == stage::suspended) {
            ended(call, cut_off(call, reply_code::timeout, "no reply" + within), now);
        } else if (call.is_pending()) {
            apply(call, call_decision::deny("nobody has decided about it" + within), now);
        }
    }
    go_on_after_approval(now);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
