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
    ask_approval(now);
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
    detail::shorten_reply(reply, setup.limits.max_reply_bytes);
    emit(call_denied{.step = steps, .call = one.number, .name = one.proposed->name, .arguments = one.proposed->arguments, .reply = reply},
         now);
    one.reply = std::move(reply);
}

// ---- approval

void run_machine::state::ask_approval(instant now) {
    if (std::all_of(calls.begin(), calls.end(), [](const detail::open_call& one) { return one.reply.has_value(); })) {
        run_next_call(now);
    } else {
        become(action::ask_approval{});
    }
}

std::vector<proposed_call> run_machine::proposed(std::uint64_t nested) const {
    std::vector<proposed_call> batch;
    if (const auto found = state_->undecided.find(nested); found != state_->undecided.end()) {
        batch.push_back(found->second.proposal());
        return batch;
    }
    for (const detail::open_call& one : state_->calls) {
        if (!one.reply) {
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
        if (!one.reply) {
            apply(one, said, now);
        }
    }
    run_next_call(now);
}

/// Applies the merged decision; a failure on the way denies.
void run_machine::state::apply(detail::open_call& one, const input::opinions& said, instant now) {
    bool granted = allowed_by_default(one);
    call_decision merged;
    for (const input::opinions::opinion& opinion : said.all) {
        if (opinion.call == one.number) {
            const kind what = opinion.decision.what;
            granted = granted || (opinion.grants && (what == kind::allow || what == kind::change));
            merged = merge(std::move(merged), opinion.decision);
        }
    }
    const bool changed = merged.what == kind::change || (merged.what == kind::ask && !merged.arguments.is_null());
    const auto misfits = changed ? declared.validate(one.proposed->name, merged.arguments) : std::vector<schema_error>();
    std::optional<capability_reply> refused;
    if (merged.what == kind::deny) {
        refused = denied(merged.reason);
    } else if (!misfits.empty()) {
        refused = denied("an approval policy changed the arguments to ones that do not fit: " + reply_invalid_args(misfits).message);
    } else if (merged.what != kind::ask && !granted) {
        refused = denied("it comes from a " + std::string(to_string(one.from)) + " (" + one.origin + "), its effects are `" +
                         std::string(to_string(one.effects)) + "`, and no approval policy of the host allows it");
    }
    if (refused) {
        --calls_run;
        deny(one, std::move(*refused), now);
        return;
    }
    if (changed) {
        one.change(std::move(merged.arguments));
    }
    one.at = merged.what == kind::ask ? stage::pending : stage::allowed;
    one.reason = merged.what == kind::ask ? std::move(merged.reason) : std::string();
}

void run_machine::state::await_approval(instant now) {
    if (!is<action::await_approval>()) {
        paused_at = now;
    }
    action::await_approval wanted;
    std::string names;
    for (const detail::open_call& one : calls) {
        if (!one.reply && one.at == stage::pending) {
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

detail::open_call* run_machine::state::pending(std::uint64_t number) noexcept {
    const auto found = std::find_if(calls.begin(), calls.end(), [&](const detail::open_call& one) {
        return one.number == number && !one.reply && one.at == stage::pending;
    });
    return found != calls.end() ? &*found : nullptr;
}

result<void> run_machine::state::check_ruling(const call_ruling& made) {
    const detail::open_call* one = is<action::await_approval>() ? pending(made.call) : nullptr;
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
    if (state_->is<action::await_approval>()) {
        for (const detail::open_call& one : state_->calls) {
            if (!one.reply && one.at == stage::pending && !one.reserved) {
                calls.push_back({.call = one.proposal(), .reason = one.reason});
            }
        }
    }
    return calls;
}

result<void> run_machine::reserve(const input::decisions& made) {
    std::set<std::uint64_t> seen;
    for (const call_ruling& ruling : made.rulings) {
        if (!seen.insert(ruling.call).second) {
            return failure{.code = errc::invalid_argument,
                           .message = "there are two decisions about call " + std::to_string(ruling.call),
                           .hint = "Give one decision about each call."};
        }
        if (const detail::open_call* one = state_->pending(ruling.call); one != nullptr && one->reserved) {
            return failure{.code = errc::invalid_state,
                           .message = "call " + std::to_string(ruling.call) + " has been decided about already"};
        }
        if (result<void> checked = state_->check_ruling(ruling); !checked) {
            return checked;
        }
    }
    for (const call_ruling& ruling : made.rulings) {
        state_->pending(ruling.call)->reserved = ruling.decision.what != kind::abstain && ruling.decision.what != kind::ask;
    }
    return {};
}

void run_machine::state::on(input::decisions made, instant now) {
    for (call_ruling& ruling : made.rulings) {
        if (!check_ruling(ruling)) {
            ++ignored;
            continue;
        }
        detail::open_call& one = *pending(ruling.call);
        one.reserved = false;
        switch (ruling.decision.what) {
            case kind::abstain:
            case kind::ask: break;
            case kind::change: one.change(std::move(ruling.decision.arguments)); [[fallthrough]];
            case kind::allow: one.at = stage::allowed; break;
            case kind::deny:
                --calls_run;
                deny(one, denied(ruling.decision.reason), now);
                break;
        }
    }
    // The first call that is still open says whether the run goes on: calls run in the order in which they came.
    const auto first = std::find_if(calls.begin(), calls.end(), [](const detail::open_call& one) { return !one.reply; });
    if (first == calls.end() || first->at != stage::pending) {
        total_deadline = after(total_deadline, now - paused_at);
        run_next_call(now);
    } else {
        await_approval(now);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
