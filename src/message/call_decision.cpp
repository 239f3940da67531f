#include <pyaichat/message/call_decision.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

call_decision merge(call_decision first, call_decision second) {
    using kind = call_decision::kind;
    const auto changes = [](const call_decision& decision) {
        return decision.what == kind::change || (decision.what == kind::ask && !decision.arguments.is_null());
    };
    if (changes(first) && changes(second) && first.arguments != second.arguments) {
        return call_decision::deny("two approval policies change the arguments in different ways");
    }
    json arguments = changes(first) ? first.arguments : changes(second) ? second.arguments : json();
    if (first.what == kind::ask && second.what == kind::ask && first.reason != second.reason) {
        first.reason += (first.reason.empty() || second.reason.empty() ? "" : "; ") + second.reason;
    }
    call_decision stricter = second.what > first.what ? std::move(second) : std::move(first);
    if (stricter.what == kind::change || stricter.what == kind::ask) {
        stricter.arguments = std::move(arguments);
    }
    return stricter;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
