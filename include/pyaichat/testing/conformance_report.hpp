#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// What a conformance suite has found. No test framework is needed: `REQUIRE(report.ok())`, and `report.text()` says what is wrong.
struct conformance_report {
    struct finding {
        std::string check = {};  ///< its name: the sentence that does not hold
        std::string what = {};
    };

    std::vector<finding> findings = {};
    std::vector<std::string> passed = {};
    std::vector<std::string> skipped = {};  ///< what the subject did not offer the means for

    [[nodiscard]] bool ok() const noexcept { return findings.empty(); }
    /// Whether this check has found something.
    [[nodiscard]] bool rejects(const std::string& check) const;
    /// One line a check: "failed: answers every call: `door` ...".
    [[nodiscard]] std::string text() const;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
