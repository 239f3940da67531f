#pragma once
#include <pyaichat/schema/decode.hpp>
#include <pyaichat/schema/encode.hpp>
#include <pyaichat/schema/schema_of.hpp>
#include <pyaichat/schema/validate.hpp>

#include "catch.hpp"

#include <string>

namespace schema_bench {

namespace ai = pyaichat;
using ai::json;

/// Returns the path, the keyword and the message of the error with which a value is refused; empty if it is taken.
template <class T>
std::string why_not(const json& value) {
    T into{};
    ai::schema_error error;
    return ai::decode(value, into, error) ? "" : error.path + " " + error.keyword + " " + error.message;
}
/// Decodes a value that fits.
template <class T>
T decoded(const json& value) {
    T into{};
    ai::schema_error error;
    INFO(ai::dump_json(value));
    if (!ai::decode(value, into, error)) {
        FAIL(error.path + " " + error.message);
    }
    return into;
}
/// Whether a value comes back as it was, and its JSON fits the schema of its type.
template <class T>
bool comes_back(const T& value) {
    const ai::result<json> encoded = ai::encode(value);
    REQUIRE(encoded);
    const auto schema = ai::compile_schema(ai::schema_of<T>());
    REQUIRE(schema);
    INFO(ai::dump_json(*encoded));
    CHECK(ai::validate(*schema, *encoded).empty());
    return decoded<T>(*encoded) == value;
}

}  // namespace schema_bench
