#pragma once
#include "python/privacy/privacy_rules.hpp"

#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Takes the place of a value that the policy withholds.
inline constexpr std::string_view withheld_mark = "[withheld: the session's policy for values is schema]";

/// Returns the refusal of a call that the policy for values does not allow, before it runs: with `schema`, expressions that are not paths.
[[nodiscard]] std::optional<capability_reply> refused_by_policy(const privacy_rules& rules, const capability_call& call, bool runs_code);

/// Applies the rules to a reply. Every reply that leaves a session passes through this function, refusals too. It runs without the GIL.
/// `hidden_texts`: the texts that hidden variables hold.
[[nodiscard]] capability_reply released(const privacy_rules& rules, const capability_call& call, capability_reply reply,
                                        const std::vector<std::string>& hidden_texts = {});

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
