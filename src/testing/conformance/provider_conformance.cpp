#include <pyaichat/testing/provider_conformance.hpp>

#include "testing/conformance/watched_attempt.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <algorithm>
#include <set>

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
    return std::min({usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.thought_tokens}) < 0 ? "a token count is negative"
                                                                                                              : std::string();
}

class provider_suite {
public:
    explicit provider_suite(const provider_subject& subject) : subject_(subject) {
        calling_ = asking(subject_.question);
        if (result<capability_list> declared = declare(std::span<const capability_spec>(subject_.capabilities))) {
            calling_.declarations = std::move(*declared);
        }
    }

    conformance_report run() && {
        check("answers with a text", provider_situation::answers, [&](const any_provider& provider) {
            const watched_attempt made = ask(provider, asking("Hello."));
            std::string wrong;
            const auto* came = made.wait(subject_.patience, wrong);
            return came == nullptr ? wrong : no_answer(*came);
        });
        check("shows what it answers, or nothing", provider_situation::answers, [&](const any_provider& provider) {
            const watched_attempt made = ask(provider, asking("Hello."));
            std::string wrong;
            const auto* came = made.wait(subject_.patience, wrong);
            if (came == nullptr || !*came || (*came)->candidates.empty()) {
                return came == nullptr ? wrong : no_answer(*came);
            }
            const std::string shown = made.shown();
            const std::string answered = (*came)->candidates.front().content.text();
            return shown.empty() || shown == answered ? std::string() : "it showed \"" + shown + "\" and answered \"" + answered + "\"";
        });
        check("calls what was declared", provider_situation::calls, [&](const any_provider& provider) { return call(provider).wrong; });
        check("takes back what its model has said", provider_situation::calls, [&](const any_provider& provider) {
            const call_made first = call(provider);
            if (!first.wrong.empty()) {
                return first.wrong;
            }
            model_request next = calling_;
            next.messages.push_back(first.content);
            message replies;
            for (const part& one : first.content.parts) {
                if (const auto* made = one.as<call_part>()) {
                    replies.parts.emplace_back(
                        response_part{.id = made->id, .name = made->name, .response = reply_with(subject_.reply).envelope()});
                }
            }
            next.messages.push_back(std::move(replies));
            return answer_to(provider, next);
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
            return answer_to(provider, request);
        });
        check("may be asked from several threads at once", provider_situation::answers, [&](const any_provider& provider) {
            std::vector<watched_attempt> all;
            for (int i = 0; i < 8; ++i) {
                all.push_back(ask(provider, asking("Hello, from one of several.")));
            }
            std::string wrong;
            for (const watched_attempt& one : all) {
                const auto* came = one.wait(subject_.patience, wrong);
                if (wrong.empty() && came != nullptr) {
                    wrong = no_answer(*came);
                }
            }
            return wrong;
        });
        check("tells that its service is unavailable", provider_situation::unavailable, [&](const any_provider& provider) {
            std::string wrong;
            const watched_attempt made = ask(provider, asking("Hello."));
            const auto* came = made.wait(subject_.patience, wrong);
            return came == nullptr ? wrong : objection_to_failure(*came);
        });
        if (subject_.attempts) {
            check("makes one attempt, and leaves retries to the loop", provider_situation::unavailable, [&](const any_provider& provider) {
                std::string wrong;
                static_cast<void>(ask(provider, asking("Hello.")).wait(subject_.patience, wrong));
                const std::size_t made = subject_.attempts();
                return !wrong.empty() || made == 1 ? wrong : "it made " + detail::counted(static_cast<std::int64_t>(made), "attempt");
            });
        } else {
            report_.skipped.emplace_back("makes one attempt, and leaves retries to the loop");
        }
        check("returns when its token is tripped", provider_situation::hangs, [&](const any_provider& provider) {
            std::string wrong;
            cancel_source stop;
            const watched_attempt made = ask(provider, asking("Hello."), stop.get_token());
            stop.request_stop();
            const auto* came = made.wait(subject_.patience, wrong);
            return came != nullptr && *came ? "it answered, although the service does not" : wrong;
        });
        check("keeps to the time that is left", provider_situation::hangs_past_time, [&](const any_provider& provider) {
            std::string wrong;
            model_request request = asking("Hello.");
            request.time_left = std::chrono::milliseconds(20);
            const watched_attempt made = ask(provider, std::move(request));
            const auto* came = made.wait(subject_.patience, wrong);
            if (came == nullptr) {
                return wrong;
            }
            return !*came && came->error().code == errc::timeout ? std::string() : "it did not fail with `timeout`";
        });
        const bool late = std::any_of(attempts_.begin(), attempts_.end(), [](const watched_attempt& one) { return one.shown_late(); });
        settle("shows nothing after it has returned", late ? "its sink was used after `complete` had returned" : "");
        return std::move(report_);
    }

private:
    struct call_made {
        std::string wrong = {};
        message content = {};
    };

    static model_request asking(std::string question) {
        model_request request;
        request.messages.push_back(user_message(std::move(question)));
        return request;
    }

    watched_attempt ask(const any_provider& provider, model_request request, const cancel_token& cancel = {}) {
        attempts_.emplace_back(provider, std::move(request), cancel);
        return attempts_.back();
    }

    std::string answer_to(const any_provider& provider, const model_request& request) {
        std::string wrong;
        const watched_attempt made = ask(provider, request);
        const auto* came = made.wait(subject_.patience, wrong);
        return came == nullptr ? wrong : no_answer(*came);
    }

    call_made call(const any_provider& provider) {
        call_made out;
        const watched_attempt made = ask(provider, calling_);
        const auto* came = made.wait(subject_.patience, out.wrong);
        if (came == nullptr) {
            return out;
        }
        if (!*came || (*came)->candidates.empty()) {
            out.wrong = *came ? "the response has no candidate" : failed_with(came->error());
            return out;
        }
        const candidate& first = (*came)->candidates.front();
        out.content = first.content;
        if (first.content.role != role::model || first.finish != finish_reason::stop || !first.content.has_calls()) {
            out.wrong = "the candidate is not the model's, with calls and the finish reason `stop`";
            return out;
        }
        std::set<std::string> ids;
        std::size_t number = 0;
        for (const part& one : first.content.parts) {
            const auto* called = one.as<call_part>();
            if (called == nullptr) {
                continue;
            }
            if (calling_.declarations.find(called->name) == nullptr) {
                out.wrong = "it gave a call of `" + called->name + "`, which was not declared";
            } else if (!called->arguments.is_object()) {
                out.wrong = "the arguments of the call are no object";
            } else if (!called->id.empty() && !ids.insert(called->id).second) {
                out.wrong = "two calls have the id `" + called->id + "`";
            } else if (number < first.checks.size() &&
                       !first.checks[number].is_of(calling_.declarations, called->name, called->arguments)) {
                out.wrong = "the check beside the call of `" + called->name + "` is not of its arguments by `request.declarations`";
            }
            ++number;
        }
        return out;
    }

    static std::string objection_to_failure(const result<model_response>& came) {
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

    template <class Body>
    void check(const char* name, provider_situation situation, Body&& body) {
        std::optional<any_provider> provider = subject_.make ? subject_.make(situation) : std::nullopt;
        if (provider) {
            settle(name, body(*provider));
        } else {
            report_.skipped.emplace_back(name);
        }
    }
    void settle(const char* name, std::string wrong) {
        if (wrong.empty()) {
            report_.passed.emplace_back(name);
        } else {
            report_.findings.push_back({name, std::move(wrong)});
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
