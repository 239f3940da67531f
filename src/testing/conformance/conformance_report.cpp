#include <pyaichat/testing/conformance_report.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::testing {

bool conformance_report::rejects(const std::string& check) const {
    return std::any_of(findings.begin(), findings.end(), [&](const finding& one) { return one.check == check; });
}

std::string conformance_report::text() const {
    std::string lines;
    for (const finding& one : findings) {
        lines += "failed: " + one.check + ": " + one.what + "\n";
    }
    for (const std::string& one : passed) {
        lines += "passed: " + one + "\n";
    }
    for (const std::string& one : skipped) {
        lines += "skipped: " + one + "\n";
    }
    return lines;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
