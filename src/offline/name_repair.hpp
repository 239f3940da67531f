#pragma once
#include "offline/lookups.hpp"
#include "offline/question.hpp"

#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A name that is not defined, and what the question becomes with the name that was meant.
struct repaired_question {
    question asked = {};
    std::string remark = {};  ///< "There is no `pirce`; taking `price`."
};

/// Repairs the name that an error reply says is missing. Returns nothing if no name, or more than one, is near enough: one letter wrong,
/// missing, added or swapped, two in names of six letters or more, or only the case.
[[nodiscard]] std::optional<repaired_question> repair_name(const question& asked, const json& error, lookups& look);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
