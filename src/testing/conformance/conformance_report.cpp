#include <pyaichat/testing/conformance_report.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

void conformance_report::add(std::string check, std::string what) {
    if (what.empty()) {
        passed.push_back(std::move(check));
    } else {
        findings.push_back({std::move(check), std::move(what)});
    }
}

bool conformance_report::rejects(const std::string& check) const {
    return std::any_of(findings.begin(), findings.end(), [&](const finding& failed) { return failed.check == check; });
}

std::string conformance_report::text() const {
    std::string lines;
    for (const finding& failed : findings) {
        lines += "failed: " + failed.check + ": " + failed.what + "\n";
    }
    for (const std::string& check : passed) {
        lines += "passed: " + check + "\n";
    }
    for (const std::string& check : skipped) {
        lines += "skipped: " + check + "\n";
    }
    for (const std::string& note : notes) {
        lines += "noted: " + note + "\n";
    }
    return lines;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
