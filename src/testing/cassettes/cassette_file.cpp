#include "testing/cassettes/cassette_file.hpp"

#include "testing/text_file.hpp"

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
    json out = json::object();
    if (!detail::is_utf8(body)) {
        out["latin1"] = from_latin1(body);
        return out;
    }
    if (result<json> parsed = exactly ? result<json>(failure{}) : parse_json(body); parsed && parsed->is_structured()) {
        out["json"] = std::move(*parsed);
    } else {
        out["lines"] = lines_of(body);
    }
    return out;
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

std::optional<errc> code_named(std::string_view name) {
    for (int number = 0; number <= static_cast<int>(errc::too_large); ++number) {
        if (to_string(static_cast<errc>(number)) == name) {
            return static_cast<errc>(number);
        }
    }
    return std::nullopt;
}

json write_exchange(const cassette_exchange& exchange) {
    json out = json::object();
    json& request = out["request"];
    request["method"] = exchange.request.method;
    request["url"] = exchange.request.url;
    request["headers"] = write_headers(exchange.request.headers);
    if (!exchange.request.body.empty()) {
        request["body"] = write_body(exchange.request.body, false);
    }
    if (exchange.response.status != 0 || !exchange.response.body.empty()) {
        json& response = out["response"];
        response["status"] = exchange.response.status;
        response["headers"] = write_headers(exchange.response.headers);
        response["body"] = write_body(exchange.response.body, exchange.pieces.has_value());
        if (exchange.pieces) {
            response["pieces_end_at"] = json(*exchange.pieces);
        }
    }
    if (exchange.failed) {
        out["failure"]["code"] = std::string(to_string(exchange.failed->code));
        out["failure"]["message"] = exchange.failed->message;
        out["failure"]["hint"] = exchange.failed->hint;
    }
    return out;
}

/// Reads the end offset of a piece. Returns nothing if it is not between the previous end and `size`.
std::optional<std::size_t> piece_end(const json& value, const std::vector<std::size_t>& before, std::size_t size) {
    const auto end = as_integer(value);
    const std::size_t least = before.empty() ? 0 : before.back();
    const bool fits = end && *end >= 0 && static_cast<std::size_t>(*end) >= least && static_cast<std::size_t>(*end) <= size;
    return fits ? std::optional(static_cast<std::size_t>(*end)) : std::nullopt;
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
    for (const json& piece : *pieces) {
        const auto end = piece_end(piece, *out.pieces, out.response.body.size());
        if (!end) {
            return "response.pieces_end_at: the offsets must increase up to the size of the body, " +
                   std::to_string(out.response.body.size());
        }
        out.pieces->push_back(*end);
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
        const auto code = code_named(string_member(*failed, "code").value_or(""));
        if (!code) {
            return "failure.code is not an error code";
        }
        out.failed = failure{.code = *code,
                             .message = std::string(string_member(*failed, "message").value_or("")),
                             .hint = std::string(string_member(*failed, "hint").value_or(""))};
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
    json document = json::object();
    document["format"] = std::string(format_name);
    document["exchanges"] = json::array();
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
