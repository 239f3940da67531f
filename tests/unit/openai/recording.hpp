#pragma once
/// The requests of the official client and the replies that it was served, from `golden/openai`.
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include "catch.hpp"
#include "golden.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// Returns the file `openai/{number}_*.json`; a missing or broken file fails the test.
inline pyaichat::json recording(const std::string& number) {
    for (const auto& entry : std::filesystem::directory_iterator(PYAICHAT_WIRE_GOLDEN "/openai")) {
        if (entry.path().filename().string().rfind(number + "_", 0) == 0) {
            std::ifstream file(entry.path());
            const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
            const auto document = pyaichat::parse_json(text);
            REQUIRE(document);
            return *document;
        }
    }
    FAIL("no recording " << number);
    return {};
}

/// Returns the replies of a recording.
inline std::vector<pyaichat::http_response> served(const pyaichat::json& recorded) {
    std::vector<pyaichat::http_response> out;
    for (const pyaichat::json& one : recorded["served"]) {
        pyaichat::http_response response{.status = static_cast<int>(*pyaichat::integer_member(one, "status"))};
        for (const auto& [name, value] : one["headers"].items()) {
            response.headers.push_back({name, std::string(*pyaichat::as_string(value))});
        }
        if (one["body"].is_array()) {
            for (const pyaichat::json& piece : one["body"]) {
                response.body += *pyaichat::as_string(piece);
            }
        } else {
            response.body = *pyaichat::as_string(one["body"]);
        }
        out.push_back(std::move(response));
    }
    return out;
}
