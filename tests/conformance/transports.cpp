#include <pyaichat/net/https.hpp>
#include <pyaichat/testing/transport_conformance.hpp>

#include "promise_table.hpp"

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

TEST_CASE("the SDK's own transport keeps every promise") {
    CHECK(promises_with(false, "net::https_transport").empty());
    // [subject]
    fake::transport_subject subject;
    subject.make = [] { return ai::any_http_transport(ai::net::https_transport({.proxy = ""})); };
    const fake::conformance_report report = fake::check_transport(subject);
    // [/subject]
    INFO(report.text());
    CHECK(report.ok());
}
