#include "schema/uri.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Each part includes its delimiter, which distinguishes an empty part from a missing one.
struct uri_parts {
    std::string_view scheme;     // "https:"
    std::string_view authority;  // "//host"
    std::string_view path;
    std::string_view query;  // "?a=b"
};

bool is_scheme(std::string_view text) noexcept {
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; });
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
    std::vector<std::string_view> segments;
    bool folder = false;  // whether the path ends with a slash
    for (std::size_t at = rooted ? 1 : 0; at <= path.size();) {
        const std::size_t slash = path.find('/', at);
        const std::string_view segment = path.substr(at, slash - at);
        folder = segment == "." || segment == "..";
        if (segment == ".." && !segments.empty()) {
            segments.pop_back();
        } else if (!folder) {
            segments.push_back(segment);
        }
        if (slash == path.npos) {
            break;
        }
        at = slash + 1;
    }
    std::string text = rooted ? "/" : "";
    for (std::size_t i = 0; i < segments.size(); ++i) {
        text += (i == 0 ? "" : "/");
        text += segments[i];
    }
    if (folder && !segments.empty()) {
        text += '/';
    }
    return text;
}

}  // namespace

split_reference split_fragment(std::string_view reference) noexcept {
    const auto hash = reference.find('#');
    return hash == reference.npos ? split_reference{reference, {}} : split_reference{reference.substr(0, hash), reference.substr(hash + 1)};
}

std::string resolve_uri(std::string_view base, std::string_view reference) {
    const uri_parts from = split(base);
    uri_parts to = split(reference);
    std::string path(to.path);
    if (to.scheme.empty()) {
        to.scheme = from.scheme;
        if (to.authority.empty()) {
            to.authority = from.authority;
            if (path.empty()) {
                path = from.path;
                to.query = to.query.empty() ? from.query : to.query;
            } else if (!path.starts_with('/')) {
                const std::size_t folder = from.path.rfind('/') + 1;
                path.insert(0, !from.authority.empty() && from.path.empty() ? "/" : from.path.substr(0, folder));
            }
        }
    }
    // The path of a URN is opaque: only a path with slashes has segments.
    if (path.find('/') != path.npos) {
        path = without_dot_segments(path);
    }
    return std::string(to.scheme).append(to.authority).append(path).append(to.query);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
