#include <pyaichat/net/httplib_transport.hpp>

#include <pyaichat/testing/transport_conformance.hpp>

#include "promise_table.hpp"
#include "tls_checks.hpp"

#include "catch.hpp"

#include <string_view>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace {

fake::transport_subject over_httplib() {
    fake::transport_subject subject;
    subject.make = [] { return ai::any_http_transport(ai::net::httplib_transport()); };
    return subject;
}

}  // namespace

TEST_CASE("the adapter over cpp-httplib keeps the promises of its table") {
    fake::transport_subject subject = over_httplib();
    subject.without = promises_with(false, "net::httplib_transport");
    const fake::conformance_report report = fake::check_transport(subject);
    INFO(report.text());
    CHECK(report.ok());
}

TEST_CASE("the adapter over cpp-httplib does not keep with version 0.11 what its table leaves open") {
    if (!std::string_view(CPPHTTPLIB_VERSION).starts_with("0.11.")) {
        WARN("SKIPPED: this is cpp-httplib " << CPPHTTPLIB_VERSION);
        return;
    }
    fake::transport_subject subject = over_httplib();
    subject.without = promises_with(true, "net::httplib_transport");
    subject.patience = std::chrono::seconds(1);
    const fake::conformance_report report = fake::check_transport(subject);
    INFO(report.text());
    CHECK(report.passed.empty());
}

TEST_CASE("the adapter over cpp-httplib refuses certificates that are untrusted, expired, or for another name") {
    check_certificates([](const std::string& ca_file) { return ai::any_http_transport(ai::net::httplib_transport({.ca_file = ca_file})); });
}

TEST_CASE("the adapter over cpp-httplib lets the host set up each client") {
    int configured = 0;
    ai::net::httplib_transport transport({.configure = [&](httplib::ClientImpl&) { ++configured; }});
    ai::http_request request;
    request.url = "http://127.0.0.1:1/";
    CHECK_FALSE(transport.send(request, {}));
    CHECK(configured == 1);
}

TEST_CASE("the adapter over cpp-httplib is a transport of any provider") {
    // [use]
    ai::net::httplib_transport transport(
        {.ca_file = "/etc/ssl/own_ca.pem", .configure = [](httplib::ClientImpl& client) { client.set_proxy("192.0.2.7", 3128); }});
    // [/use]
    const ai::any_http_transport any(std::move(transport));
    CHECK(any.send({}, {}).error().code == ai::errc::invalid_argument);
}
