#include "offline/follow_up.hpp"

#include <pyaichat/core/text.hpp>

#include "offline/reply_reader.hpp"
#include "offline/subject.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// The name or phrase before the first item or attribute: "it" in "it[0]".
std::string_view head_of(std::string_view subject) {
    return subject.substr(0, std::min(subject.find_first_of("[.("), subject.size()));
}

/// What was said and run before.
struct background {
    std::vector<std::string> questions = {};  ///< the last one at the end
    std::string name = {};                    ///< bound by the last entry
};

background read_background(const std::vector<std::string>& earlier, lookups& look) {
    background out{.questions = earlier};
    const bool declared = look.has("get_last_entry");
    const json* entry = declared ? look.find("get_last_entry") : nullptr;
    if (entry == nullptr) {
        return out;
    }
    if (const std::string last = text_member(*entry, "question"); earlier.empty() && !last.empty()) {
        out.questions.push_back(last);
    }
    if (const json& names = list_member(*entry, "names"); !names.empty()) {
        out.name = text_or_member(names.back(), "name");
    }
    return out;
}

/// The last question that had a subject of its own.
question last_with_subject(const std::vector<std::string>& questions) {
    for (auto text = questions.rbegin(); text != questions.rend(); ++text) {
        question found = recognise(*text);
        if (!found.subject.empty() && !is_pronoun(head_of(found.subject))) {
            return found;
        }
    }
    return {};
}

/// The last question with a form of its own, whatever its subject: the one that "and y?" repeats.
question last_with_form(const std::vector<std::string>& questions) {
    for (auto text = questions.rbegin(); text != questions.rend(); ++text) {
        question found = recognise(*text);
        if (!found.subject.empty() && found.form != question_form::follow_up) {
            return found;
        }
    }
    return {.form = question_form::value};
}

std::string ask_back(std::string_view word) {
    return "Which object do you mean by " + ticked(word) + "? Ask with its name: for example, `what is x?`.";
}

}  // namespace

resolved_question resolve(question asked, const std::vector<std::string>& earlier, lookups& look) {
    const bool follows = asked.form == question_form::follow_up;
    std::string* references[] = {&asked.subject, &asked.other};
    const bool refers = is_pronoun(head_of(asked.subject)) || is_pronoun(head_of(asked.other));
    if (!follows && !refers) {
        return {.asked = std::move(asked)};
    }
    const background before = read_background(earlier, look);
    const question last = last_with_subject(before.questions);
    if (refers) {
        for (std::string* reference : references) {
            const std::string word(head_of(*reference));
            if (!is_pronoun(word)) {
                continue;
            }
            // "this" points at what was typed last, "it" at what was spoken of.
            const bool points = ascii_lower(word) == "this" || ascii_lower(word) == "these";
            const std::string& named = (points && !before.name.empty()) || last.subject.empty() ? before.name : last.subject;
            if (named.empty()) {
                return {.asked = asked, .unclear = ask_back(word)};
            }
            *reference = named + reference->substr(word.size());
        }
    }
    if (follows) {
        question repeated = last_with_form(before.questions);
        repeated.subject = std::exchange(asked.subject, {});
        if (repeated.form == question_form::computation || repeated.form == question_form::value) {
            repeated.form = is_object_path(repeated.subject) ? question_form::value : question_form::computation;
        }
        asked = std::move(repeated);
    }
    return {.asked = std::move(asked)};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
