#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// The result of a conformance suite, for any test framework: `REQUIRE(report.ok())`; `report.text()` describes the failed checks.
struct conformance_report {
    struct finding {
        std::string check = {};  ///< the name of the failed check: the requirement, as a sentence
        std::string what = {};   ///< what went wrong
    };

    std::vector<finding> findings = {};
    std::vector<std::string> passed = {};
    std::vector<std::string> skipped = {};  ///< checks for which the subject lacks the means
    std::vector<std::string> notes = {};    ///< measured values, for a person

    /// Records a check that failed with `what`, or passed if `what` is empty.
    void add(std::string check, std::string what);
    /// Returns whether no check failed.
    [[nodiscard]] bool ok() const noexcept { return findings.empty(); }
    /// Returns whether the check with this name failed.
    [[nodiscard]] bool rejects(const std::string& check) const;
    /// Returns one line per check, failed checks first: "failed: answers every call: `door` ...". Notes come last.
    [[nodiscard]] std::string text() const;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
