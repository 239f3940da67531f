#pragma once
/// Requests recorded from the official clients. They lie beside the project, not in it, so a lone checkout does not have them.
#include <pyaichat/core/json.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "catch.hpp"

struct golden_request {
    std::string path = {};
    pyaichat::json body = {};
};

/// False, and a word that ctest counts as skipped, when there are none.
inline bool golden_requests_are_there() {
    if (std::filesystem::is_directory(PYAICHAT_WIRE_GOLDEN)) {
        return true;
    }
    std::cout << "SKIPPED: no recorded requests in " PYAICHAT_WIRE_GOLDEN << std::endl;
    return false;
}

/// Of the file `gemini/{number}_*.json`; a missing or broken file fails the test.
inline std::vector<golden_request> golden_requests(const std::string& number) {
    std::vector<golden_request> out;
    for (const auto& entry : std::filesystem::directory_iterator(PYAICHAT_WIRE_GOLDEN "/gemini")) {
        if (entry.path().filename().string().rfind(number + "_", 0) != 0) {
            continue;
        }
        std::ifstream file(entry.path());
        const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        const auto document = pyaichat::parse_json(text);
        REQUIRE(document);
        for (const pyaichat::json& one : *pyaichat::find_member(*document, "requests")) {
            out.push_back({std::string(*pyaichat::string_member(one, "path")), *pyaichat::find_member(one, "body")});
        }
    }
    CAPTURE(number);
    REQUIRE_FALSE(out.empty());
    return out;
}
