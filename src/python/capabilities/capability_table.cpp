#include "python/capabilities/capability_table.hpp"

#include "python/capabilities/python_capability.hpp"
#include "python/capabilities/structural_scope.hpp"
#include "python/privacy/hidden_texts.hpp"
#include "python/privacy/privacy_scope.hpp"
#include "python/privacy/reply_filter.hpp"
#include "python/privacy/secret_names.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

const std::vector<python_capability>& capabilities() {
    static const std::vector<python_capability> all = [] {
        std::vector<python_capability> made = {list_globals_capability()};
        std::ranges::move(object_capabilities(), std::back_inserter(made));
        made.push_back(eval_expr_capability());
        made.push_back(get_last_exception_capability());
        made.push_back(get_stack_capability());
        made.push_back(get_source_capability());
        made.push_back(situation_capability());
        made.push_back(prompt_names_capability());
        return made;
    }();
    return all;
}

const python_capability* find_capability(std::string_view name) {
    const auto found = std::ranges::find_if(capabilities(), [&](const python_capability& each) { return each.spec.name == name; });
    return found == capabilities().end() ? nullptr : &*found;
}

capability_list declare_with(effects of_code) {
    std::vector<capability_spec> specs;
    for (const python_capability& each : capabilities()) {
        if (each.declared) {
            specs.push_back(each.spec);
            specs.back().effects = each.runs_code ? of_code : effects::read;
        }
    }
    return declare(specs).value();
}

capability_reply run_with_rules(capability_context& context, const privacy_rules& rules) {
    if (context.session.globals() == nullptr) {
        return reply_error(reply_code::internal, context.session.why_no_globals());
    }
    const python_capability* called = find_capability(context.call.name);
    if (called == nullptr) {
        return reply_error(reply_code::unknown_function, "this Python session has no function `" + context.call.name + "`");
    }
    if (std::optional<capability_reply> refused = refused_by_policy(rules, context.call, called->runs_code)) {
        return std::move(*refused);
    }
    const privacy_scope privacy(rules, mentions_secret(string_member(context.call.arguments, "expr").value_or("")));
    if (called->runs_code) {
        return called->run(context);
    }
    const structural_scope scope(context.session);
    capability_reply reply = called->run(context);
    scope.mark(reply);
    return reply;
}

}  // namespace

bool runs_live(eval_policy policy) {
    return policy == eval_policy::ask || policy == eval_policy::unrestricted;
}

const capability_list& capability_specs(eval_policy policy) {
    // One list for each kind, because another object counts as a change of the list.
    static const capability_list looking = declare_with(effects::read);
    static const capability_list running = declare_with(effects::once);
    return runs_live(policy) ? running : looking;
}

bool runs_code(std::string_view capability) {
    const python_capability* found = find_capability(capability);
    return found != nullptr && found->runs_code;
}

capability_reply run_capability(capability_context context) {
    const std::shared_ptr<const privacy_rules> rules = context.session.privacy().rules();
    capability_reply reply = run_with_rules(context, *rules);
    // The one way out: whatever a capability found, `released` decides what leaves. (`session::invoke` does the same with refusals.)
    return released(*rules, context.call, std::move(reply), texts_of_hidden(*rules, context.session.globals()));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
