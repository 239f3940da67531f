#pragma once
#include <pyaichat/testing/capability_conformance.hpp>
#include <pyaichat/testing/provider_conformance.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <memory>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using situation = fake::provider_situation;

/// Judges something of ours: nothing may be found, and no more may be skipped than is said.
inline void require_conforming(const fake::conformance_report& report, std::size_t skipped) {
    INFO(report.text());
    CHECK(report.ok());
    CHECK(report.skipped.size() == skipped);
    CHECK_FALSE(report.passed.empty());
}

/// A script for one situation; empty for the one that scripts cannot have.
inline fake::scripted_provider scripted_for(situation meets) {
    fake::scripted_provider made;
    if (meets == situation::calls) {
        made.add(fake::call("weather", {{"place", "Oslo"}}, "call-1"));
    }
    for (int i = 0; i < 16; ++i) {
        made.add(meets == situation::unavailable ? fake::fail(ai::errc::unavailable)
                 : meets == situation::hangs     ? fake::hang()
                                                 : fake::stream({"It is ", "sunny."}));
    }
    return made;
}
