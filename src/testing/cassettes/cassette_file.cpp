#include "testing/cassettes/cassette_file.hpp"

#include "testing/text_file.hpp"

#include <pyaichat/core/detail/names.hpp>
#include <pyaichat/core/text.hpp>

#include <filesystem>
#include <fstream>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::string_view format_name = "pyaichat cassette 1";

json lines_of(std::string_view text) {
    json out = json::array();
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        out.push_back(std::string(text.substr(0, end)));
        text.remove_prefix(end);
    }
    return out;
}

/// Converts each byte to the character with its number, because JSON cannot hold arbitrary bytes.
std::string from_latin1(std::string_view bytes) {
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            out += c;
        } else {
            out += static_cast<char>(0xC0U | (byte >> 6U));
            out += static_cast<char>(0x80U | (byte & 0x3FU));
        }
    }
    return out;
}

std::string to_latin1(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte < 0x80 || at + 1 == text.size()) {
            out += text[at];
        } else {
            out += static_cast<char>(((byte & 0x03U) << 6U) | (static_cast<unsigned char>(text[++at]) & 0x3FU));
        }
    }
    return out;
}

/// Writes JSON as a document, unless `exactly` demands the exact bytes; other text as lines.
json write_body(std::string_view body, bool exactly) {
    if (!detail::is_utf8(body)) {
        return {{"latin1", from_latin1(body)}};
    }
    if (result<json> parsed = parse_json(body); !exactly && parsed && parsed->is_structured()) {
        return {{"json", *std::move(parsed)}};
    }
    return {{"lines", lines_of(body)}};
}

std::optional<std::string> read_body(const json& body) {
    if (const json* value = find_member(body, "json")) {
        return dump_json(*value);
    }
    if (const auto text = string_member(body, "latin1")) {
        return to_latin1(*text);
    }
    const json* lines = find_member(body, "lines");
    if (lines == nullptr || !lines->is_array()) {
        return std::nullopt;
    }
    std::string out;
    for (const json& line : *lines) {
        out += as_string(line).value_or("");
    }
    return out;
}

json write_headers(const std::vector<http_header>& headers) {
    json out = json::object();
    for (const http_header& header : headers) {
        out[header.name] = header.value;
    }
    return out;
}

std::vector<http_header> read_headers(const json& owner) {
    std::vector<http_header> out;
    if (const json* headers = find_member(owner, "headers"); headers != nullptr && headers->is_object()) {
        for (const auto& entry : headers->items()) {
            out.push_back({entry.key(), std::string(as_string(entry.value()).value_or(""))});
        }
    }
    return out;
}

std::string text_member(const json& object, std::string_view name) {
    return std::string(string_member(object, name).value_or(""));
}

json write_exchange(const cassette_exchange& exchange) {
    json out;
    out["request"] = {
        {"method", exchange.request.method}, {"url", exchange.request.url}, {"headers", write_headers(exchange.request.headers)}};
    if (!exchange.request.body.empty()) {
        out["request"]["body"] = write_body(exchange.request.body, false);
    }
    if (exchange.response.status != 0 || !exchange.response.body.empty()) {
        out["response"] = {{"status", exchange.response.status},
                           {"headers", write_headers(exchange.response.headers)},
                           {"body", write_body(exchange.response.body, exchange.pieces.has_value())}};
        if (exchange.pieces) {
            out["response"]["pieces_end_at"] = *exchange.pieces;
        }
    }
    if (exchange.failed) {
        out["failure"] = {{"code", std::string(to_string(exchange.failed->code))},
                          {"message", exchange.failed->message},
                          {"hint", exchange.failed->hint}};
    }
    return out;
}

/// Returns the error, or nothing.
std::optional<std::string> read_response(const json& in, cassette_exchange& out) {
    out.response.status = static_cast<int>(integer_member(in, "status").value_or(0));
    out.response.headers = read_headers(in);
    const json* body = find_member(in, "body");
    std::optional<std::string> bytes = body == nullptr ? std::nullopt : read_body(*body);
    if (!bytes) {
        return "response.body needs json, lines or latin1";
    }
    out.response.body = *std::move(bytes);
    const json* pieces = find_member(in, "pieces_end_at");
    if (pieces == nullptr) {
        return std::nullopt;
    }
    out.pieces.emplace();
    std::size_t least = 0;
    for (const json& piece : *pieces) {
        const auto end = static_cast<std::size_t>(as_integer(piece).value_or(-1));
        if (end < least || end > out.response.body.size()) {
            return "response.pieces_end_at: the offsets must increase up to the size of the body, " +
                   std::to_string(out.response.body.size());
        }
        out.pieces->push_back(end);
        least = end;
    }
    return std::nullopt;
}

std::optional<std::string> read_exchange(const json& in, cassette_exchange& out) {
    const json* request = find_member(in, "request");
    const auto method = request == nullptr ? std::nullopt : string_member(*request, "method");
    const auto url = request == nullptr ? std::nullopt : string_member(*request, "url");
    if (!method || !url) {
        return "request needs a method and a url";
    }
    out.request.method = *method;
    out.request.url = *url;
    out.request.headers = read_headers(*request);
    if (const json* body = find_member(*request, "body")) {
        std::optional<std::string> bytes = read_body(*body);
        if (!bytes) {
            return "request.body needs json, lines or latin1";
        }
        out.request.body = *std::move(bytes);
    }
    const json* failed = find_member(in, "failure");
    if (failed != nullptr) {
        out.failed = failure{.message = text_member(*failed, "message"), .hint = text_member(*failed, "hint")};
        if (!detail::read_word(text_member(*failed, "code"), out.failed->code)) {
            return "failure.code is not an error code";
        }
    }
    if (const json* response = find_member(in, "response")) {
        return read_response(*response, out);
    }
    return failed == nullptr ? std::optional<std::string>("an exchange needs a response or a failure") : std::nullopt;
}

failure refuse(std::string message) {
    return {.code = errc::invalid_argument, .message = std::move(message), .hint = "Record it again."};
}

}  // namespace

std::string write_cassette(const std::vector<cassette_exchange>& exchanges) {
    json document = {{"format", std::string(format_name)}, {"exchanges", json::array()}};
    for (const cassette_exchange& exchange : exchanges) {
        document["exchanges"].push_back(write_exchange(exchange));
    }
    return dump_json(document, 2) + "\n";
}

result<std::vector<cassette_exchange>> read_cassette(std::string_view text) {
    const result<json> document = parse_json(text);
    if (!document) {
        return refuse(document.error().message);
    }
    const json* exchanges = find_member(*document, "exchanges");
    if (string_member(*document, "format") != format_name || exchanges == nullptr || !exchanges->is_array()) {
        return refuse("not a cassette: expected the format \"" + std::string(format_name) + "\" with a list of exchanges");
    }
    std::vector<cassette_exchange> out(exchanges->size());
    for (std::size_t index = 0; index < out.size(); ++index) {
        if (const std::optional<std::string> problem = read_exchange((*exchanges)[index], out[index])) {
            return refuse("exchanges[" + std::to_string(index) + "]: " + *problem);
        }
    }
    return out;
}

result<void> save_cassette(const std::string& path, const std::vector<cassette_exchange>& exchanges) {
    const std::string temporary = path + ".part";
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file << write_cassette(exchanges);
    file.close();
    std::error_code problem;
    if (!file.fail()) {
        std::filesystem::rename(temporary, path, problem);
    }
    if (file.fail() || problem) {
        return failure{.code = errc::internal,
                       .message = "the cassette " + path + " cannot be written",
                       .hint = "Create its folder, and check the permissions."};
    }
    return {};
}

result<std::vector<cassette_exchange>> load_cassette(const std::string& path) {
    return read_text_file(path, read_cassette, "Record it first, or check the path and the permissions.");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
