#include <pyaichat/offline/offline.hpp>

#include <pyaichat/core/text.hpp>

#include "offline/answers.hpp"
#include "offline/closest_forms.hpp"
#include "offline/follow_up.hpp"
#include "offline/name_repair.hpp"
#include "offline/reply_reader.hpp"
#include "offline/typed_answer.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

using detail::lookups;
using detail::past_call;
using detail::question;
using detail::question_form;

constexpr int most_repairs = 2;
constexpr std::size_t longest_beginning = 300;
constexpr const char* sees_no_images = "I cannot see images, so this is about the text alone.\n";

/// The open question, the replies that have come since it was asked, and the questions before it.
struct turn {
    std::string question = {};
    std::vector<past_call> past = {};
    std::vector<std::string> earlier = {};
    bool has_images = false;  ///< with the question, or in a reply since then
};

/// The call that a reply belongs to, among those of the messages since the question.
const call_part* call_of(const response_part& reply, const std::vector<call_part>& calls) {
    const auto found =
        std::find_if(calls.begin(), calls.end(), [&](const call_part& call) { return call.id == reply.id && call.name == reply.name; });
    return found == calls.end() ? nullptr : &*found;
}

turn read_turn(const conversation& messages) {
    turn out;
    std::vector<call_part> calls;
    for (const message& said : messages) {
        bool asks = said.role == role::user;
        bool has_images = false;
        for (const part& piece : said.parts) {
            if (const auto* call = piece.as<call_part>()) {
                calls.push_back(*call);
            } else if (const auto* reply = piece.as<response_part>()) {
                asks = false;
                has_images = has_images || !reply->images.empty();
                if (const call_part* made = call_of(*reply, calls)) {
                    out.past.push_back({.name = made->name, .arguments = made->arguments, .envelope = reply->response});
                }
            } else if (piece.as<image_part>() != nullptr) {
                has_images = true;
            }
        }
        out.has_images = has_images || (out.has_images && !asks);
        if (asks) {
            if (!out.question.empty()) {
                out.earlier.push_back(std::move(out.question));
            }
            out.question = said.text();
            out.past.clear();
            calls.clear();
        }
    }
    return out;
}

/// What a failed call comes to: its message, and the type of the exception if the message does not say it.
std::string say_failed_call(const question& asked, const json& envelope) {
    const json& error = detail::member(envelope, "error");
    const json& details = detail::member(error, "details");
    const std::string type = detail::text_member(details, "exc_type");
    std::string message = detail::text_member(error, "message");
    if (message.empty()) {
        message = detail::text_member(details, "message");
    }
    if (!type.empty() && message.find(type) == std::string::npos) {
        message = type + ": " + message;
    }
    if (message.empty()) {
        message = detail::text_member(error, "code");
    }
    const std::string verb = asked.form == question_form::computation ? "compute " : "look at ";
    return "I could not " + (asked.subject.empty() ? std::string("find out") : verb + detail::ticked(asked.subject)) + ": " + message;
}

/// What a reply that was too long still tells: how it begins.
std::string say_cut(const past_call& call) {
    const std::string text = detail::text_member(detail::member(call.envelope, "result"), "text");
    return "The reply of " + detail::ticked(call.name) + " was too long and has been cut" +
           (text.empty() ? "." : "; it begins with " + detail::one_row(text, longest_beginning) + ".");
}

/// The text if an answer could not be composed from the replies, and no call is missing.
std::string say_why_not(const question& asked, const lookups& look) {
    if (!look.undeclared().empty()) {
        return "I would need the capability " + detail::ticked(look.undeclared()) + " to answer that, and it is not declared here.";
    }
    if (look.first_error() != nullptr) {
        return say_failed_call(asked, *look.first_error());
    }
    return look.first_cut() != nullptr ? say_cut(*look.first_cut()) : "The replies to my calls do not say.";
}

struct outcome {
    message content = {.role = role::model};
    finish_reason finish = finish_reason::stop;
};

outcome say(std::string_view text, finish_reason finish = finish_reason::stop) {
    return {.content = model_message(detail::shown_safely(text)), .finish = finish};
}

/// Says the answer, or gives the value that the request asks for. If the answer has no such value, its text says so.
outcome answer_with(const model_request& request, const question& asked, const std::vector<past_call>& past, const std::string& remarks,
                    const std::string& text) {
    if (!detail::wants_value(request)) {
        return say(remarks + text);
    }
    // A value cannot say that it is about another name than the question.
    std::optional<message> given = remarks.empty() ? detail::give_value(request, asked, past, text) : std::nullopt;
    return given ? outcome{.content = *std::move(given)}
                 : say("I have an answer, but not in the form that was asked for: " + remarks + text, finish_reason::unanswered);
}

outcome make_calls(const lookups& look) {
    outcome out;
    for (const call_part& needed : look.needed()) {
        out.content.parts.emplace_back(needed);
    }
    return out;
}

/// Answers, or makes the calls that the answer needs. The same steps are taken in each response of a run; each gets further, because it has
/// more replies.
outcome respond(const model_request& request) {
    const turn open = read_turn(request.messages);
    std::string remarks = open.has_images ? sees_no_images : "";
    lookups before(request.declarations, open.past);
    const question recognised = detail::recognise(open.question);
    if (recognised.form == question_form::unknown) {
        return say(remarks + detail::say_not_understood(open.question), finish_reason::unanswered);
    }
    detail::resolved_question resolved = detail::resolve(recognised, open.earlier, before);
    if (!before.needed().empty()) {
        return make_calls(before);
    }
    if (!resolved.unclear.empty()) {
        return say(resolved.unclear, finish_reason::unanswered);
    }
    for (int repairs = 0;; ++repairs) {
        lookups look(request.declarations, open.past);
        const std::string text = detail::answer_question(resolved.asked, look);
        if (!look.needed().empty()) {
            return make_calls(look);
        }
        if (!text.empty()) {
            return answer_with(request, resolved.asked, open.past, remarks, text);
        }
        const std::string why_not = say_why_not(resolved.asked, look);
        const json* error = look.first_error();
        auto repaired = error != nullptr && repairs < most_repairs ? detail::repair_name(resolved.asked, *error, look) : std::nullopt;
        if (!look.needed().empty()) {
            return make_calls(look);
        }
        if (!repaired && resolved.asked.form == question_form::lookup && detail::is_undefined(error, resolved.asked.subject)) {
            // "the capital of France" is not about the session.
            return say(detail::say_not_understood(open.question), finish_reason::unanswered);
        }
        if (!repaired) {
            return say(remarks + why_not, detail::wants_value(request) ? finish_reason::unanswered : finish_reason::stop);
        }
        resolved.asked = std::move(repaired->asked);
        remarks += repaired->remark + "\n";
    }
}

}  // namespace

result<model_response> offline::complete(const model_request& request, const delta_sink&, const cancel_token& cancel) const {
    if (cancel.stop_requested()) {
        return failure{.code = errc::cancelled, .message = "cancelled before it began"};
    }
    outcome done = respond(request);
    model_response out{.model = "offline", .cost = money{}};
    const std::string_view word = done.finish == finish_reason::stop ? "STOP" : "UNANSWERED";
    out.candidates.push_back({.content = std::move(done.content), .finish = done.finish, .finish_text = std::string(word)});
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
