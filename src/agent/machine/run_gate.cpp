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

/// So often a call is shown again because its arguments were changed.
constexpr int most_rounds = 3;

/// Whether a call runs about which nobody has an opinion.
bool allowed_by_default(const detail::open_call& one) {
    return one.from == provenance::host || (one.from == provenance::file && one.effects == effects::read);
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
    calls.clear();
    running = 0;
    calls_proposed shown{.step = steps};
    keep(std::move(content));
    const std::shared_ptr<const message>& said = messages.share(messages.size() - 1);
    for (const part& piece : said->parts) {
        if (const auto* call = piece.as<call_part>()) {
            shown.calls.push_back(*call);
            calls.push_back({.proposed = {said, call}, .number = ++last_call_number});
        }
    }
    emit(std::move(shown), now);
    if (calls_exceeded) {
        finish_at_limit(stop_reason::max_calls, now);
        return;
    }
    std::size_t place = 0;
    int looked_at = 0;
    for (detail::open_call& one : calls) {
        // First, so that a response with very many calls costs little, whatever they are.
        std::optional<capability_reply> refused =
            ++looked_at > setup.limits.max_calls_per_step
                ? reply_error(reply_code::limit, "at most " + detail::counted(setup.limits.max_calls_per_step, "call") +
                                                     " are looked at in one step; make the others in the next one")
                : misfit(one, place < checks.size() ? checks[place] : argument_check());
        ++place;
        if (!refused) {
            refused = over_limit();
            calls_exceeded = calls_exceeded || refused;
        }
        if (refused) {
            deny(one, std::move(*refused), now);
        }
    }
    run_next_call(now);
}

/// The reply to a call that does not fit the declarations, or nothing.
std::optional<capability_reply> run_machine::state::misfit(detail::open_call& one, const argument_check& check) const {
    const capability_spec* spec = declared.find(one.proposed->name);
    if (spec == nullptr) {
        return unknown_function(one.proposed->name, declared);
    }
    const std::vector<schema_error> errors = declared.validate(spec->name, one.proposed->arguments, check);
    if (!errors.empty()) {
        return reply_invalid_args(errors);
    }
    one.effects = spec->effects;
    one.from = spec->from;
    one.origin = spec->origin;
    one.timeout = spec->timeout;
    one.headline = spec->headline;
    return std::nullopt;
}

/// Counts a call that is about to be made: the reply when the limit is used up, or nothing.
std::optional<capability_reply> run_machine::state::over_limit() {
    if (calls_run >= setup.limits.max_calls) {
        return reply_error(reply_code::limit, "the limit of " + detail::counted(setup.limits.max_calls, "call") +
                                                  " is used up; answer now, with what is known");
    }
    ++calls_run;
    return std::nullopt;
}

void run_machine::state::deny(detail::open_call& one, capability_reply reply, instant now) {
    detail::normalise(reply);
    detail::shorten_reply(reply, setup.limits.max_reply_bytes);
    emit(call_denied{.step = steps, .call = one.number, .name = one.proposed->name, .arguments = one.proposed->arguments, .reply = reply},
         now);
    one.reply = std::move(reply);
}

// ---- approval

std::vector<proposed_call> run_machine::proposed(std::uint64_t nested) const {
    std::vector<proposed_call> batch;
    if (const auto found = state_->undecided.find(nested); found != state_->undecided.end()) {
        batch.push_back(found->second.proposal());
        return batch;
    }
    for (const detail::open_call& one : state_->calls) {
        if (!one.reply && one.at == stage::gated) {
            batch.push_back(one.proposal());
        }
    }
    return batch;
}

void run_machine::state::on(input::opinions said, instant now) {
    if (said.nested != 0) {
        detail::open_call one = std::move(undecided.extract(said.nested).mapped());
        decide_nested(std::move(one), std::move(said), now);
        return;
    }
    for (detail::open_call& one : calls) {
        if (!one.reply && one.at == stage::gated) {
            apply(one, said, now);
        }
    }
    run_next_call(now);
}

/// Gives a call other arguments. It is shown again then to everybody who restricts, since nobody has decided about these. Returns why that
/// cannot be; empty when it was done.
std::string run_machine::state::change(detail::open_call& one, json arguments) const {
    if (const std::vector<schema_error> misfits = declared.validate(one.proposed->name, arguments); !misfits.empty()) {
        return "the arguments were changed to ones that do not fit: " + reply_invalid_args(misfits).message;
    }
    if (++one.rounds > most_rounds) {
        return "the arguments were changed again each time they were shown to those who decide";
    }
    one.change(std::move(arguments));
    one.at = stage::gated;
    return {};
}

/// Applies the merged decision of policies and hooks; a failure on the way denies.
void run_machine::state::apply(detail::open_call& one, const input::opinions& said, instant now) {
    bool granted = one.by_person || allowed_by_default(one);
    call_decision merged;
    for (const input::opinions::opinion& opinion : said.all) {
        if (opinion.call == one.number) {
            const kind what = opinion.decision.what;
            granted = granted || (opinion.grants && (what == kind::allow || what == kind::change));
            merged = merge(std::move(merged), opinion.decision);
        }
    }
    const bool changed = (merged.what == kind::change || (merged.what == kind::ask && !merged.arguments.is_null())) &&
                         merged.arguments != one.proposed->arguments;
    std::string refused;
    if (merged.what == kind::deny) {
        refused = denied(merged.reason).message;
    } else if (changed && one.by_person) {
        refused = "an approval policy would change the arguments that a person has decided on";
    } else if (changed) {
        refused = change(one, std::move(merged.arguments));
    } else if (merged.what == kind::ask && !one.by_person) {
        one.at = stage::pending;
        one.reason = std::move(merged.reason);
    } else if (granted) {
        one.at = stage::allowed;
    } else {
        refused = "it comes from a " + std::string(to_string(one.from)) + " (" + one.origin + "), its effects are `" +
                  std::string(to_string(one.effects)) + "`, and no approval policy of the host allows it";
    }
    if (!refused.empty()) {
        --calls_run;
        deny(one, reply_error(reply_code::denied, std::move(refused)), now);
    }
}

// ---- a person's decisions

void run_machine::state::await_approval(instant now) {
    if (!is<action::await_approval>()) {
        paused_at = now;
        approval_deadline = setup.limits.approval_timeout ? after(now, *setup.limits.approval_timeout) : instant::max();
    }
    action::await_approval wanted;
    std::string names;
    for (const detail::open_call& one : calls) {
        if (one.is_pending()) {
            wanted.calls.push_back({.call = one.proposal(), .reason = one.reason});
            names += (names.empty() ? "`" : ", `") + describe_call(one.proposed->name, one.proposed->arguments) + "`";
        }
    }
    wanted.answer = state_of_things(stop_reason::awaiting_approval, closing("Waiting for approval of " + names + "."));
    wanted.answer.events = events;
    wanted.answer.messages.push_back(detail::replies_to(calls));
    message closing_one = model_message(wanted.answer.text);
    closing_one.synthetic = true;
    wanted.answer.messages.push_back(std::move(closing_one));
    become(std::move(wanted));
}

const detail::open_call* run_machine::state::pending(std::uint64_t number) const noexcept {
    const auto found =
        std::find_if(calls.begin(), calls.end(), [&](const detail::open_call& one) { return one.number == number && one.is_pending(); });
    return found != calls.end() ? &*found : nullptr;
}

result<void> run_machine::state::check(const call_ruling& made) const {
    const detail::open_call* one = pending(made.call);
    if (one == nullptr) {
        return failure{.code = errc::invalid_state,
                       .message = "call " + std::to_string(made.call) + " does not wait for approval",
                       .hint = "Decide about the calls that the run lists as pending."};
    }
    if (nests_deeper_than(made.decision.arguments, detail::max_value_depth)) {
        return failure{.code = errc::invalid_argument, .message = "the arguments given for `" + one->proposed->name + "` nest too deep"};
    }
    if (made.decision.what != kind::change || relisting) {
        return {};
    }
    const std::vector<schema_error> mismatches = declared.validate(one->proposed->name, made.decision.arguments);
    if (!mismatches.empty()) {
        return failure{
            .code = errc::invalid_argument,
            .message = "the arguments given for `" + one->proposed->name + "` do not fit: " + reply_invalid_args(mismatches).message,
            .hint = "Give arguments that fit the declaration, or allow or deny the call."};
    }
    return {};
}

std::vector<pending_call> run_machine::pending() const {
    std::vector<pending_call> calls;
    for (const detail::open_call& one : state_->calls) {
        if (one.is_pending()) {
            calls.push_back({.call = one.proposal(), .reason = one.reason});
        }
    }
    return calls;
}

result<void> run_machine::check(const input::decisions& made) const {
    std::set<std::uint64_t> seen;
    for (const call_ruling& ruling : made.rulings) {
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

void run_machine::state::on(input::decisions made, instant now) {
    for (call_ruling& ruling : made.rulings) {
        const auto open = std::find_if(calls.begin(), calls.end(), [&](const detail::open_call& one) { return one.number == ruling.call; });
        if (!check(ruling)) {
            ++ignored;
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

/// Applies what a person has decided. Arguments that a person has changed go to those who restrict.
void run_machine::state::apply(detail::open_call& one, call_decision made, instant now) {
    std::string refused;
    switch (made.what) {
        case kind::abstain:
        case kind::ask: return;
        case kind::allow: one.at = stage::allowed; return;
        case kind::change:
            one.by_person = true;
            refused = change(one, std::move(made.arguments));
            break;
        case kind::deny: refused = denied(made.reason).message; break;
    }
    if (!refused.empty()) {
        --calls_run;
        deny(one, reply_error(reply_code::denied, std::move(refused)), now);
    }
}

/// The first call that is still open says whether the run goes on: calls run in the order in which they came.
void run_machine::state::go_on_after_approval(instant now) {
    const auto first = std::find_if(calls.begin(), calls.end(), [](const detail::open_call& one) { return !one.reply; });
    if (first != calls.end() && first->at == stage::pending) {
        await_approval(now);
        return;
    }
    total_deadline = after(total_deadline, now - paused_at);
    run_next_call(now);
}

void run_machine::state::expire_approval(instant now) {
    for (detail::open_call& one : calls) {
        if (one.is_pending()) {
            apply(one, call_decision::deny("nobody has decided about it within " + describe(*setup.limits.approval_timeout)), now);
        }
    }
    go_on_after_approval(now);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
