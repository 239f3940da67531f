#include <pyaichat/testing/conformance_report.hpp>

#include "catch.hpp"

namespace fake = pyaichat::testing;

TEST_CASE("a report is good when nothing was found, and says in a line each what was looked at") {
    fake::conformance_report report{.passed = {"answers"}, .skipped = {"hangs"}};
    CHECK(report.ok());
    report.findings.push_back({"replies", "it did not"});
    CHECK_FALSE(report.ok());
    CHECK(report.rejects("replies"));
    CHECK_FALSE(report.rejects("answers"));
    CHECK(report.text() == "failed: replies: it did not\npassed: answers\nskipped: hangs\n");
}
