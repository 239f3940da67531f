#include "testing/gemini_emulator/gemini_renderer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

using piece = loopback_write;

std::string chunk_head(std::size_t size) {
    std::array<char, 20> digits = {};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), size, 16).ptr;
    return std::string(digits.data(), end) + "\r\n";
}

/// Inserts the blanks after the first brace, where JSON allows them.
std::vector<piece> with_blanks(std::vector<std::string> texts, std::size_t blanks) {
    std::vector<piece> out;
    for (std::string& text : texts) {
        const std::size_t brace = blanks == 0 ? std::string::npos : text.find('{');
        if (brace == std::string::npos) {
            out.push_back({std::move(text), 0});
            continue;
        }
        out.push_back({text.substr(0, brace + 1), std::exchange(blanks, 0)});
        out.push_back({text.substr(brace + 1), 0});
    }
    return out;
}

std::size_t size_of(const std::vector<piece>& pieces) {
    std::size_t out = 0;
    for (const piece& part : pieces) {
        out += part.bytes.size() + part.blanks;
    }
    return out;
}

void cut(std::vector<piece>& pieces, std::size_t limit) {
    for (piece& part : pieces) {
        part.bytes.resize(std::min(part.bytes.size(), limit));
        limit -= part.bytes.size();
        part.blanks = std::min(part.blanks, limit);
        limit -= part.blanks;
    }
    std::erase_if(pieces, [](const piece& part) { return part.bytes.empty() && part.blanks == 0; });
}

void set_header(std::vector<http_header>& headers, const http_header& header) {
    const auto found = std::find_if(headers.begin(), headers.end(), [&](const http_header& other) { return other.name == header.name; });
    if (found == headers.end()) {
        headers.push_back(header);
    } else {
        found->value = header.value;
    }
}

}  // namespace

std::vector<std::string> gemini_renderer::body(std::string& content_type, int& status, bool& chunked) const {
    std::vector<std::string> out;
    if (reply_.form_ == gemini_reply::form::body) {
        out.push_back(reply_.body_);
        return out;
    }
    const auto& late = reply_.late_error_;
    if (!options_.streamed || status != 200) {
        const std::vector<json> all = documents();
        const json& only = late ? late->body : all.front();
        status = late ? late->code : status;
        const bool array = reply_.in_array_ || (options_.streamed && !options_.events);
        out.push_back(array ? "[" + dump_json(only) + "]" : dump_json(only));
        return out;
    }
    chunked = true;
    std::vector<json> all = documents();
    if (!options_.events) {
        if (late) {
            all.push_back(late->body);
        }
        for (const json& document : all) {
            out.push_back((out.empty() ? "[" : ",\r\n") + dump_json(document));
        }
        out.push_back("\n]");
        return out;
    }
    content_type = "text/event-stream";
    if (late && !late->bare) {
        all.push_back(late->body);
    }
    for (const json& document : all) {
        out.push_back("data: " + dump_json(document) + reply_.line_end_ + reply_.line_end_);
    }
    if (late && late->bare) {
        out.push_back(dump_json(late->body, 2) + "\n");
    } else if (!reply_.last_blank_line_ && !out.empty()) {
        out.back().resize(out.back().size() - 2 * reply_.line_end_.size());
    }
    return out;
}

loopback_reply gemini_renderer::wire() const {
    loopback_reply out;
    out.delay = reply_.delay_;
    out.piece = reply_.piece_;
    out.pause = reply_.pause_;
    switch (reply_.then_) {
        case gemini_reply::ending::keep: out.then = loopback_reply::ending::keep; break;
        case gemini_reply::ending::close: out.then = loopback_reply::ending::close; break;
        case gemini_reply::ending::reset: out.then = loopback_reply::ending::reset; break;
        case gemini_reply::ending::hang: out.then = loopback_reply::ending::hang; break;
    }
    if (reply_.form_ == gemini_reply::form::raw) {
        out.bytes = reply_.body_;
        return out;
    }
    std::string content_type = reply_.form_ == gemini_reply::form::body ? "" : "application/json; charset=UTF-8";
    int status = reply_.status_;
    bool chunked = false;
    std::vector<piece> pieces = with_blanks(body(content_type, status, chunked), reply_.blanks_);
    std::vector<http_header> headers;
    if (!content_type.empty()) {
        headers.push_back({"Content-Type", content_type});
    }
    if (chunked) {
        headers.push_back({"Content-Disposition", "attachment"});
        headers.push_back({"Transfer-Encoding", "chunked"});
    }
    for (const http_header& header : reply_.headers_) {
        set_header(headers, header);
    }
    if (!chunked && header_value(headers, "Content-Length").empty()) {
        headers.push_back({"Content-Length", std::to_string(size_of(pieces))});
    }
    const bool whole = size_of(pieces) <= reply_.body_limit_;
    cut(pieces, reply_.body_limit_);
    std::string before = http_head(status, headers);
    for (piece& part : pieces) {
        if (chunked) {
            before += chunk_head(part.bytes.size() + part.blanks);
        }
        out.rest.push_back({before + part.bytes, part.blanks});
        before = chunked ? "\r\n" : "";
    }
    if (chunked && whole) {
        before += "0\r\n\r\n";
    }
    if (!before.empty()) {
        out.rest.push_back({std::move(before), 0});
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
