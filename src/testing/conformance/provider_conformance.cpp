#include <pyaichat/testing/provider_conformance.hpp>

#include <pyaichat/core/text.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

std::string failed_with(const failure& error) {
    return "it failed with " + std::string(to_string(error.code)) + ": " + error.message;
}

/// Checks that the response is a text answer. Returns the error, or an empty string.
std::string no_answer(const result<model_response>& came) {
    if (!came) {
        return failed_with(came.error());
    }
    if (came->prompt_block) {
        return "it says that the prompt was blocked";
    }
    if (came->candidates.empty()) {
        return "the response has no candidate";
    }
    const candidate& first = came->candidates.front();
    if (first.content.role != role::model) {
        return "the candidate's role is not the model's";
    }
    if (first.finish != finish_reason::stop) {
        return "the candidate's finish reason is not `stop`";
    }
    if (detail::is_blank(first.content.text())) {
        return "the candidate has no text";
    }
    if (first.content.has_calls()) {
        return "the candidate has a call, and nothing was declared";
    }
    const token_usage& usage = came->usage;
    return std::min({usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.thought_tokens, usage.cache_write_tokens}) < 0
               ? "a token count is negative"
               : std::string();
}

std::string objection_to_failure(const result<model_response>& came) {
    if (came) {
        return "it gave a response";
    }
    const failure& error = came.error();
    if (error.code == errc::cancelled || error.code == errc::internal || error.code == errc::invalid_argument) {
        return "it failed with " + std::string(to_string(error.code)) + ", which does not say that the service is at fault";
    }
    if (detail::is_blank(error.message)) {
        return "the failure has no message for the log";
    }
    return error.retry_after && *error.retry_after < duration::zero() ? "`retry_after` is negative" : std::string();
}

/// Makes one attempt on a detached thread, because the attempt may never return.
class watched_attempt {
public:
    watched_attempt(any_provider provider, model_request request, const cancel_token& cancel = {}) {
        std::thread([state = state_, provider = std::move(provider), request = std::move(request), cancel]() mutable {
            const delta_sink sink([state](delta_sink::kind what, std::string_view piece) {
                const std::lock_guard lock(state->mutex);
                state->late = state->late || state->outcome.has_value();
                if (what == delta_sink::kind::restart) {
                    state->shown.clear();
                } else if (what == delta_sink::kind::text) {
                    state->shown += piece;
                }
            });
            std::string thrown;
            result<model_response> outcome = guarded([&] { return provider.complete(request, sink, cancel); },
                                                     [&](std::string_view what) {
                                                         thrown = what;
                                                         return result<model_response>(failure{.message = "it threw"});
                                                     });
            const std::lock_guard lock(state->mutex);
            state->thrown = std::move(thrown);
            state->outcome = std::move(outcome);
            state->returned.notify_all();
        }).detach();
    }

    /// Waits for the outcome and returns what `objection` says about it, or that the attempt threw or did not return within `patience`.
    template <class Objection>
    [[nodiscard]] std::string judge(duration patience, Objection objection) const {
        std::unique_lock lock(state_->mutex);
        if (!state_->returned.wait_for(lock, patience, [&] { return state_->outcome.has_value(); })) {
            return "it did not return within " + describe(patience);
        }
        lock.unlock();  // nothing changes the outcome any more, and `objection` may look at the rest
        return state_->thrown.empty() ? objection(*state_->outcome) : "it threw: " + state_->thrown;
    }
    [[nodiscard]] std::string shown() const {
        const std::lock_guard lock(state_->mutex);
        return state_->shown;
    }
    [[nodiscard]] bool shown_late() const {
        const std::lock_guard lock(state_->mutex);
        return state_->late;
    }

private:
    struct shared {
        std::mutex mutex;
        std::condition_variable returned;
        std::optional<result<model_response>> outcome;
        std::string thrown;
        std::string shown;
        bool late = false;
    };
    std::shared_ptr<shared> state_ = std::make_shared<shared>();
};

class provider_suite {
public:
    explicit provider_suite(const provider_subject& subject) : subject_(subject) {
        calling_ = asking(subject_.question);
        if (result<capability_list> declared = declare(std::span<const capability_spec>(subject_.capabilities))) {
            calling_.declarations = std::move(*declared);
        }
    }

    conformance_report run() && {
        check("answers with a text", provider_situation::answers,
              [&](const any_provider& provider) { return judge(provider, asking("Hello."), no_answer); });
        check("shows what it answers, or nothing", provider_situation::answers, [&](const any_provider& provider) {
            const watched_attempt made = ask(provider, asking("Hello."));
            return made.judge(subject_.patience, [&](const result<model_response>& came) {
                if (!came || came->candidates.empty()) {
                    return no_answer(came);
                }
                const std::string shown = made.shown();
                const std::string answered = came->candidates.front().content.text();
                return shown.empty() || shown == answered ? std::string() : "it showed \"" + shown + "\" and answered \"" + answered + "\"";
            });
        });
        check("calls what was declared", provider_situation::calls, [&](const any_provider& provider) {
            message calling;
            return call(provider, calling);
        });
        check("takes back what its model has said", provider_situation::calls, [&](const any_provider& provider) {
            message calling;
            if (std::string wrong = call(provider, calling); !wrong.empty()) {
                return wrong;
            }
            message replies;
            for (const part& one : calling.parts) {
                if (const auto* made = one.as<call_part>()) {
                    replies.parts.emplace_back(
                        response_part{.id = made->id, .name = made->name, .response = reply_with(subject_.reply).envelope()});
                }
            }
            model_request next = calling_;
            next.messages.push_back(std::move(calling));
            next.messages.push_back(std::move(replies));
            return judge(provider, std::move(next), no_answer);
        });
        check("reads what other providers wrote", provider_situation::answers, [&](const any_provider& provider) {
            message called{.role = role::model};
            called.parts.emplace_back(call_part{.id = "elsewhere-1", .name = "weather", .arguments = {{"place", "Oslo"}}});
            called.wire = wire_form{.provider = "somebody else", .body = {{"tool_calls", json::array({1, 2})}}};
            message replied;
            replied.parts.emplace_back(response_part{.id = "elsewhere-1", .name = "weather", .response = reply_with("sunny").envelope()});
            message said = model_message("It is sunny.");
            said.wire = wire_form{.provider = "somebody else", .body = {{"content", "It is sunny."}}};
            model_request request;
            request.messages = {user_message("What is the weather?"), called, replied, said, user_message("Thank you.")};
            return judge(provider, std::move(request), no_answer);
        });
        check("may be asked from several threads at once", provider_situation::answers, [&](const any_provider& provider) {
            std::vector<watched_attempt> all;
            for (int i = 0; i < 8; ++i) {
                all.push_back(ask(provider, asking("Hello.")));
            }
            std::string wrong;
            for (const watched_attempt& one : all) {
                const std::string objection = one.judge(subject_.patience, no_answer);
                wrong = wrong.empty() ? objection : wrong;
            }
            return wrong;
        });
        check("tells that its service is unavailable", provider_situation::unavailable,
              [&](const any_provider& provider) { return judge(provider, asking("Hello."), objection_to_failure); });
        if (subject_.attempts) {
            check("makes one attempt, and leaves retries to the loop", provider_situation::unavailable, [&](const any_provider& provider) {
                return judge(provider, asking("Hello."), [&](const result<model_response>&) {
                    const std::size_t made = subject_.attempts();
                    return made == 1 ? std::string() : "it made " + detail::counted(static_cast<std::int64_t>(made), "attempt");
                });
            });
        } else {
            report_.skipped.emplace_back("makes one attempt, and leaves retries to the loop");
        }
        check("returns when its token is tripped", provider_situation::hangs, [&](const any_provider& provider) {
            cancel_source stop;
            const watched_attempt made = ask(provider, asking("Hello."), stop.get_token());
            stop.request_stop();
            return made.judge(subject_.patience, [](const result<model_response>& came) {
                return std::string(came ? "it answered, although the service does not" : "");
            });
        });
        check("keeps to the time that is left", provider_situation::hangs_past_time, [&](const any_provider& provider) {
            model_request request = asking("Hello.");
            request.time_left = std::chrono::milliseconds(20);
            return judge(provider, std::move(request), [](const result<model_response>& came) {
                return std::string(!came && came.error().code == errc::timeout ? "" : "it did not fail with `timeout`");
            });
        });
        const bool late = std::any_of(attempts_.begin(), attempts_.end(), [](const watched_attempt& one) { return one.shown_late(); });
        report_.add("shows nothing after it has returned", late ? "its sink was used after `complete` had returned" : "");
        return std::move(report_);
    }

private:
    static model_request asking(std::string question) {
        model_request request;
        request.messages.push_back(user_message(std::move(question)));
        return request;
    }

    watched_attempt ask(const any_provider& provider, model_request request, const cancel_token& cancel = {}) {
        attempts_.emplace_back(provider, std::move(request), cancel);
        return attempts_.back();
    }

    /// Makes one attempt and returns the objection to its outcome.
    template <class Objection>
    std::string judge(const any_provider& provider, model_request request, Objection objection) {
        return ask(provider, std::move(request)).judge(subject_.patience, objection);
    }

    /// Asks the question that makes the model call. Sets `content` to the model's message.
    std::string call(const any_provider& provider, message& content) {
        return judge(provider, calling_, [&](const result<model_response>& came) {
            if (!came || came->candidates.empty()) {
                return came ? "the response has no candidate" : failed_with(came.error());
            }
            content = came->candidates.front().content;
            return objection_to_calls(came->candidates.front());
        });
    }

    [[nodiscard]] std::string objection_to_calls(const candidate& first) const {
        if (first.content.role != role::model || first.finish != finish_reason::stop || !first.content.has_calls()) {
            return "the candidate is not the model's, with calls and the finish reason `stop`";
        }
        std::set<std::string> ids;
        std::size_t number = 0;
        for (const part& one : first.content.parts) {
            const auto* called = one.as<call_part>();
            if (called == nullptr) {
                continue;
            }
            if (calling_.declarations.find(called->name) == nullptr) {
                return "it gave a call of `" + called->name + "`, which was not declared";
            }
            if (!called->arguments.is_object()) {
                return "the arguments of the call are not an object";
            }
            if (!called->id.empty() && !ids.insert(called->id).second) {
                return "two calls have the id `" + called->id + "`";
            }
            if (number < first.checks.size() && !first.checks[number].is_of(calling_.declarations, called->name, called->arguments)) {
                return "the check beside the call of `" + called->name + "` is not of its arguments by `request.declarations`";
            }
            ++number;
        }
        return {};
    }

    template <class Body>
    void check(const char* name, provider_situation situation, Body&& body) {
        std::optional<any_provider> provider = subject_.make ? subject_.make(situation) : std::nullopt;
        if (provider) {
            report_.add(name, body(*provider));
        } else {
            report_.skipped.emplace_back(name);
        }
    }

    const provider_subject& subject_;
    model_request calling_;
    std::vector<watched_attempt> attempts_;
    conformance_report report_;
};

}  // namespace

conformance_report check_provider(const provider_subject& subject) {
    return provider_suite(subject).run();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
