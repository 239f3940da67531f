#include "agent/machine/closing_text.hpp"
#include "agent/machine/image_limits.hpp"
#include "agent/machine/retry.hpp"
#include "agent/machine/run_state.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/message/history.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI {

void run_machine::state::start(instant now) {
    total_deadline = after(now, setup.limits.total_timeout);
    emit(run_started{.question = setup.question}, now);
    result<void> valid = pyaichat::check(setup.limits);
    if (valid && detail::is_blank(setup.question)) {
        valid = failure{.code = errc::invalid_argument, .message = "the question is empty", .hint = "Ask a question that is not blank."};
    }
    detail::image_count images;
    if (valid) {
        valid = detail::check_images(setup.images, setup.limits, images);
    }
    if (valid && !setup.answer_schema.is_null()) {
        result<detail::answer_schema> schema = detail::answer_schema::of(setup.answer_schema);
        if (schema) {
            typed = std::move(*schema);
        } else {
            valid = std::move(schema.error());
        }
    }
    messages = std::move(setup.history);
    if (!valid) {
        messages = repair_history(messages);  // the host may continue the conversation with another question
        refuse_setup(valid.error(), now);
        return;
    }
    image_bytes = images.bytes;
    message question;
    for (image& picture : setup.images) {
        question.parts.emplace_back(image_part{.image = std::move(picture)});
    }
    setup.images.clear();
    question.parts.emplace_back(text_part{.text = setup.question});
    if (!detail::is_blank(setup.context)) {
        question.parts.insert(question.parts.begin(), text_part{.text = setup.context});
    }
    const bool continued = !messages.empty();
    messages.push_back(std::move(question));
    if (continued) {
        messages = repair_history(messages);
    }
    begin_step(now);
}

/// Starts a model call if all limits allow it.
void run_machine::state::begin_step(instant now) {
    const limits& bounds = setup.limits;
    if (now >= total_deadline) {
        finish_at_limit(stop_reason::total_timeout, now);
    } else if (steps >= bounds.max_steps) {
        finish_at_limit(stop_reason::max_steps, now);
    } else if (bounds.max_tokens_total > 0 && usage.total() >= bounds.max_tokens_total) {
        finish_at_limit(stop_reason::token_budget, now);
    } else if (bounds.max_cost > money{} && unpriced) {
        refuse_setup({.code = errc::invalid_argument,
                      .message = "a response of the model has no known cost, so limits::max_cost cannot be kept",
                      .hint = "Use a provider and a model whose cost is known, or set limits::max_cost to 0."},
                     now);
    } else if (bounds.max_cost > money{} && cost && *cost >= bounds.max_cost) {
        finish_at_limit(stop_reason::cost_budget, now);
    } else {
        become(action::list_capabilities{});
    }
}

void run_machine::state::refuse_setup(const failure& why, instant now) {
    const char* what = steps == 0 ? "The question was not asked: " : "The run could not go on: ";
    std::string sentence = what + why.message + "." + (why.hint.empty() ? "" : " " + why.hint);
    finish(stop_reason::misconfigured, steps == 0 ? sentence : closing(sentence), now, why);
}

void run_machine::state::on(input::declarations listed, instant now) {
    if (!is<action::list_capabilities>() && !relisting) {
        deny_changed_calls(listed.offered, now);
        return;
    }
    if (!listed.offered) {
        refuse_setup(listed.offered.error(), now);
        return;
    }
    declared = std::move(*listed.offered);
    if (const result<void> chosen = typed ? typed->choose_way(declared, listed.takes_answer_schema, setup.mode) : result<void>(); !chosen) {
        refuse_setup(chosen.error(), now);
        return;
    }
    const bool after_crash = std::exchange(recovered, false);
    if (after_crash && recoveries > setup.limits.max_recoveries) {
        finish_at_limit(stop_reason::max_recoveries, now);
        return;
    }
    if (relisting) {
        resume(after_crash, now);
        return;
    }
    ++steps;
    retries = 0;
    step_deadline = std::min(after(now, setup.limits.step_timeout), total_deadline);
    emit(step_started{.step = steps}, now);
    start_attempt(now);
}

void run_machine::state::start_attempt(instant now) {
    text_shown = thoughts_shown = false;
    partial.reset();
    ++attempt;
    action::call_model call{.attempt = attempt, .deadline = step_deadline};
    call.request.instructions = setup.instructions;
    call.request.messages = messages;
    call.request.declarations = declared;
    const bool has_called = last_call_number > 0;
    call.request.mode = setup.mode == tool_mode::required && has_called ? tool_mode::automatic : setup.mode;
    if (typed) {
        call.request.mode = answered_by_text && !typed->function().empty() ? tool_mode::required : call.request.mode;
        typed->add_to(call.request);
    }
    call.request.time_left = step_deadline - now;
    become(std::move(call));
}

void run_machine::state::on(input::model_delta delta, instant now) {
    switch (delta.what) {
        case input::model_delta::kind::restart: withdraw("the provider started again", now); break;
        case input::model_delta::kind::text: {
            text_shown = true;
            const bool has_grown = read_partial(delta.text);
            emit(text_delta{.step = steps, .text = std::move(delta.text)}, now);
            if (has_grown) {
                emit(partial_value{.step = steps, .value = partial->value()}, now);
            }
            break;
        }
        case input::model_delta::kind::thought:
            thoughts_shown = true;
            emit(thought_delta{.step = steps, .text = std::move(delta.text)}, now);
            break;
    }
}

void run_machine::state::withdraw(const std::string& why, instant now) {
    const bool shown = text_shown || thoughts_shown;
    text_shown = thoughts_shown = false;
    partial.reset();
    if (shown) {
        emit(step_withdrawn{.step = steps, .why = why}, now);
    }
}

// ---- the outcome of a model call

void run_machine::state::on(input::model_result&& returned, instant now) {
    if (returned.outcome) {
        on_response(std::move(*returned.outcome), now);
    } else {
        on_failure(std::move(returned.outcome.error()), now);
    }
}

void run_machine::state::on_failure(failure error, instant now) {
    const bool was_shown = text_shown || thoughts_shown;
    withdraw("the model call failed", now);
    const bool limited = error.code == errc::rate_limited || error.code == errc::quota_exhausted;
    stop_reason reason = limited ? stop_reason::rate_limited : stop_reason::provider_failed;
    if (detail::is_transient(error.code) && !was_shown && retries < setup.limits.transport_retries) {
        const duration delay = detail::retry_delay(error, retries + 1, setup.seed);
        if (after(now, delay) < step_deadline) {
            ++retries;
            delayed_until = after(now, delay);
            become(action::wait{.until = delayed_until});
            emit(retry_scheduled{.step = steps, .retry = retries, .delay = delay, .why = std::string(to_string(error.code))}, now);
            return;
        }
        if (error.retry_after) {
            reason = stop_reason::rate_limited;  // the service requires a delay beyond the deadline
        }
    }
    if (error.code == errc::timeout && step_deadline - now <= detail::noticeable) {
        // The transport has the same deadline, and its clock may be slightly ahead.
        reason = step_deadline == total_deadline ? stop_reason::total_timeout : stop_reason::step_timeout;
        finish_soft(reason, detail::limit_sentence(reason, setup.limits), now, std::move(error));
        return;
    }
    std::string sentence = detail::provider_sentence(error);
    finish_soft(reason, std::move(sentence), now, std::move(error));
}

void run_machine::state::on_response(model_response&& response, instant now) {
    usage += response.usage;
    if (response.cost) {
        cost.emplace(cost.value_or(money{})) += *response.cost;
    } else {
        unpriced = true;
    }
    emit(usage_updated{.usage = usage, .cost = total_cost()}, now);
    if (response.prompt_block) {
        withdraw("the question was blocked", now);
        if (steps == 1) {
            messages.pop_back();  // otherwise every later question would be blocked too
        }
        finish_soft(stop_reason::blocked, "The service blocked the question (" + detail::one_line(*response.prompt_block, 60) + ").", now);
        return;
    }
    const detail::verdict judged = detail::judge(response);
    if (judged.chosen == nullptr) {
        on_invalid(judged, now);
        return;
    }
    candidate& chosen = *judged.chosen;
    std::string text = detail::repair_utf8(chosen.content.text());
    if (&chosen != &response.candidates.front()) {
        withdraw("another candidate was chosen", now);  // the deltas were those of the first candidate
    }
    if (typed && chosen.finish == finish_reason::stop && !chosen.content.has_calls()) {
        on_typed_text(std::move(chosen), now);
        return;
    }
    show_whole(chosen.content, now);
    if (chosen.content.has_calls()) {
        commentary = std::move(text);
        on_calls(std::move(chosen.content), chosen.checks, now);
        return;
    }
    emit(step_finished{.step = steps}, now);
    if (chosen.finish == finish_reason::stop) {
        keep(std::move(chosen.content));
        finish(stop_reason::complete, std::move(text), now);
        return;
    }
    if (chosen.finish == finish_reason::unanswered) {
        keep(std::move(chosen.content));
        finish(stop_reason::unanswered, std::move(text), now);
        return;
    }
    const std::string word = chosen.finish_text.empty() ? "no reason was given" : detail::one_line(chosen.finish_text, 60);
    finish(stop_reason::truncated, text + "\n\nThe answer was cut off here (" + word + ").", now);
}

/// Emits the parts that were not streamed as one delta each, so a host can display a response from deltas alone.
void run_machine::state::show_whole(const message& content, instant now) {
    for (const part& piece : content.parts) {
        if (const auto* thought = piece.as<thought_part>(); thought != nullptr && !thoughts_shown && !thought->text.empty()) {
            emit(thought_delta{.step = steps, .text = detail::repair_utf8(thought->text)}, now);
        } else if (const auto* spoken = piece.as<text_part>(); spoken != nullptr && !text_shown && !spoken->text.empty()) {
            emit(text_delta{.step = steps, .text = detail::repair_utf8(spoken->text)}, now);
        }
    }
}

void run_machine::state::keep(message content) {
    content.role = role::model;  // a host's provider may have left another role
    // Removes parts that no provider accepts from a model: replies, images, and without a wire form opaque and blank parts.
    std::erase_if(content.parts, [&](const part& piece) {
        const auto* text = piece.as<text_part>();
        return piece.as<response_part>() != nullptr || piece.as<image_part>() != nullptr ||
               (!content.wire && (piece.as<opaque_part>() != nullptr || (text != nullptr && detail::is_blank(text->text))));
    });
    messages.push_back(std::move(content));
}

bool run_machine::state::count_invalid() noexcept {
    const bool within_budget = invalid_responses < setup.limits.invalid_response_retries;
    invalid_responses += within_budget ? 1 : 0;
    return within_budget;
}

void run_machine::state::finish_invalid(const std::string& why, instant now) {
    finish_soft(stop_reason::invalid_response, "The model's response could not be used: " + why + ".", now,
                failure{.code = errc::bad_response, .message = why});
}

void run_machine::state::on_invalid(const detail::verdict& judged, instant now) {
    withdraw("the response was unusable: " + judged.why, now);
    if (!count_invalid()) {
        if (judged.blocked) {
            finish_soft(stop_reason::blocked, "The model's answer could not be shown: " + judged.why + ".", now);
        } else {
            finish_invalid(judged.why, now);
        }
        return;
    }
    message corrected = messages.back();
    // Services reject a text after replies.
    const auto replies = std::find_if(corrected.parts.begin(), corrected.parts.end(),
                                      [](const part& piece) { return piece.as<response_part>() != nullptr; });
    const std::string again = typed ? typed->ask_again() : "Respond again, with well-formed function calls or with an answer as text.";
    corrected.parts.insert(replies, text_part{.text = "Your last response could not be used: " + judged.why + ". " + again});
    messages.replace_back(std::move(corrected));
    emit(step_finished{.step = steps}, now);
    begin_step(now);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
