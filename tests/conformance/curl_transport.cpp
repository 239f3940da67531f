#include <pyaichat/net/curl_transport.hpp>

#include <pyaichat/testing/transport_conformance.hpp>

#include "promise_table.hpp"
#include "tls_checks.hpp"

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

TEST_CASE("the adapter over libcurl keeps the promises of its table") {
    REQUIRE(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
    fake::transport_subject subject;
    // The environment may name a proxy, which the suite must not use.
    subject.make = [] {
        return ai::any_http_transport(
            ai::net::curl_transport({.configure = [](CURL* request) { curl_easy_setopt(request, CURLOPT_PROXY, ""); }}));
    };
    subject.without = promises_with(false, "net::curl_transport");
    const fake::conformance_report report = fake::check_transport(subject);
    INFO(report.text());
    CHECK(report.ok());
    curl_global_cleanup();
}

TEST_CASE("the adapter over libcurl refuses certificates that are untrusted, expired, or for another name") {
    REQUIRE(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
    check_certificates([](const std::string& ca_file) {
        return ai::any_http_transport(ai::net::curl_transport(
            {.ca_file = ca_file, .configure = [](CURL* request) { curl_easy_setopt(request, CURLOPT_PROXY, ""); }}));
    });
    curl_global_cleanup();
}

TEST_CASE("the adapter over libcurl lets the host set up each request") {
    REQUIRE(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
    int configured = 0;
    ai::net::curl_transport transport({.configure = [&](CURL*) { ++configured; }});
    ai::http_request request;
    request.url = "http://127.0.0.1:1/";
    CHECK_FALSE(transport.send(request, {}));
    CHECK(configured == 1);
    curl_global_cleanup();
}

TEST_CASE("the adapter over libcurl connects to numeric addresses of both kinds") {
    REQUIRE(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
    ai::net::curl_transport transport;
    for (const char* url : {"http://127.0.0.1:1/", "http://[::1]:1/"}) {
        ai::http_request request;
        request.url = url;
        const auto outcome = transport.send(request, {});
        REQUIRE_FALSE(outcome);
        CHECK(outcome.error().message.find(curl_easy_strerror(CURLE_COULDNT_CONNECT)) != std::string::npos);
    }
    curl_global_cleanup();
}

TEST_CASE("the adapter over libcurl is a transport of any provider") {
    // [use]
    curl_global_init(CURL_GLOBAL_DEFAULT);  // once in the host, before other threads use libcurl
    ai::net::curl_transport transport({.configure = [](CURL* request) { curl_easy_setopt(request, CURLOPT_SSLCERT, "/etc/ssl/own.pem"); }});
    // [/use]
    const ai::any_http_transport any(std::move(transport));
    CHECK(any.send({}, {}).error().code == ai::errc::invalid_argument);
    curl_global_cleanup();
}
