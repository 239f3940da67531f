#include "offline/answers.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

std::string answer_question(const question& asked, lookups& look) {
    switch (asked.form) {
        case question_form::greeting:
        case question_form::thanks:
        case question_form::farewell:
        case question_form::abilities:
        case question_form::identity: return answer_help(asked);
        case question_form::variables:
        case question_form::variable_count:
        case question_form::existence: return answer_listing(asked, look);
        case question_form::value:
        case question_form::contents:
        case question_form::computation: return answer_value(asked, look);
        case question_form::type:
        case question_form::type_check:
        case question_form::members:
        case question_form::attributes:
        case question_form::methods:
        case question_form::documentation:
        case question_form::signature:
        case question_form::location:
        case question_form::source:
        case question_form::lookup:
        case question_form::base_classes:
        case question_form::version: return answer_object(asked, look);
        case question_form::operation: return answer_operation(asked, look);
        case question_form::membership:
        case question_form::key_check: return answer_membership(asked, look);
        case question_form::columns:
        case question_form::column_types:
        case question_form::missing_values:
        case question_form::description:
        case question_form::head:
        case question_form::tail: return answer_table(asked, look);
        case question_form::failure:
        case question_form::failure_value: return answer_failure(asked, look);
        case question_form::situation:
        case question_form::changes:
        case question_form::last_entry: return answer_changes(asked, look);
        case question_form::comparison:
        case question_form::equality:
        case question_form::identity_check:
        case question_form::order: return answer_comparison(asked, look);
        case question_form::follow_up:
        case question_form::unknown: break;
    }
    return {};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
