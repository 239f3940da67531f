#include "schema/uri.hpp"

#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Each part keeps the delimiter that belongs to it, so that an empty part and a missing one differ.
struct uri_parts {
    std::string_view scheme;     // "https:"
    std::string_view authority;  // "//host"
    std::string_view path;
    std::string_view query;  // "?a=b"
};

bool is_scheme(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
        if (!letter && (i == 0 || !other)) {
            return false;
        }
    }
    return !text.empty();
}

uri_parts split(std::string_view uri) noexcept {
    uri_parts parts;
    const auto take = [&uri](std::size_t count) {
        const std::string_view head = uri.substr(0, count);
        uri.remove_prefix(head.size());
        return head;
    };
    if (const auto colon = uri.find(':'); colon != uri.npos && is_scheme(uri.substr(0, colon))) {
        parts.scheme = take(colon + 1);
    }
    if (uri.starts_with("//")) {
        parts.authority = take(uri.find_first_of("/?", 2));
    }
    parts.path = take(uri.find('?'));
    parts.query = uri;
    return parts;
}

std::string without_dot_segments(std::string_view path) {
    const bool rooted = path.starts_with('/');
    std::vector<std::string_view> kept;
    bool folder = false;  // whether the path ends with a slash
    for (std::size_t at = rooted ? 1 : 0; at <= path.size();) {
        const std::size_t slash = path.find('/', at);
        const std::string_view segment = path.substr(at, slash - at);
        folder = segment == "." || segment == "..";
        if (segment == ".." && !kept.empty()) {
            kept.pop_back();
        } else if (!folder) {
            kept.push_back(segment);
        }
        if (slash == path.npos) {
            break;
        }
        at = slash + 1;
    }
    std::string text = rooted ? "/" : "";
    for (std::size_t i = 0; i < kept.size(); ++i) {
        text += (i == 0 ? "" : "/");
        text += kept[i];
    }
    if (folder && !kept.empty()) {
        text += '/';
    }
    return text;
}

int hex_digit(char c) noexcept {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

split_reference split_fragment(std::string_view reference) noexcept {
    const auto hash = reference.find('#');
    return hash == reference.npos ? split_reference{reference, {}} : split_reference{reference.substr(0, hash), reference.substr(hash + 1)};
}

std::string resolve_uri(std::string_view base, std::string_view reference) {
    const uri_parts from = split(base);
    const uri_parts to = split(reference);
    const auto text = [](std::string_view scheme, std::string_view authority, std::string_view path, std::string_view query) {
        std::string whole(scheme);
        whole += authority;
        // The path of a URN is opaque: only those with slashes have segments.
        whole += path.find('/') != path.npos ? without_dot_segments(path) : std::string(path);
        whole += query;
        return whole;
    };
    if (!to.scheme.empty()) {
        return text(to.scheme, to.authority, to.path, to.query);
    }
    if (!to.authority.empty()) {
        return text(from.scheme, to.authority, to.path, to.query);
    }
    if (to.path.empty()) {
        return text(from.scheme, from.authority, from.path, to.query.empty() ? from.query : to.query);
    }
    if (to.path.starts_with('/')) {
        return text(from.scheme, from.authority, to.path, to.query);
    }
    std::string merged;
    if (!from.authority.empty() && from.path.empty()) {
        merged = "/";
    } else if (const auto slash = from.path.rfind('/'); slash != from.path.npos) {
        merged = from.path.substr(0, slash + 1);
    }
    merged += to.path;
    return text(from.scheme, from.authority, merged, to.query);
}

std::string percent_decoded(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
            plain += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
            i += 2;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
