#include <pyaichat/testing/cassette.hpp>

#include <pyaichat/core/text.hpp>

#include "testing/cassettes/cassette_difference.hpp"
#include "testing/cassettes/cassette_file.hpp"
#include "testing/cassettes/cassette_secrets.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

/// The distance between a recording and a request.
struct distance {
    std::size_t value = 0;  ///< 0: they match
    std::string reason = {};
};

std::string in_quotes(std::string_view text) {
    return "\"" + detail::one_line(text, 200) + "\"";
}

distance compare_bodies(const std::string& recorded, const std::string& sent) {
    if (recorded == sent) {
        return {};
    }
    const result<json> recorded_json = parse_json(recorded);
    const result<json> sent_json = parse_json(sent);
    if (!recorded_json || !sent_json) {
        return {1, "in the body: recorded " + in_quotes(recorded) + ", sent " + in_quotes(sent)};
    }
    const cassette_difference found = compare_json(*recorded_json, *sent_json);
    if (found.count == 0) {
        return {};
    }
    const std::string more = found.count > 1 ? " (the first of " + std::to_string(found.count) + " differences)" : "";
    return {found.count, "at " + (found.place.empty() ? "the whole body" : found.place) + ": recorded " + found.recorded + ", sent " +
                             found.sent + more};
}

/// A difference in the method or URL weighs more than any difference in the body.
distance compare_requests(const http_request& recorded, const http_request& sent) {
    constexpr std::size_t other_url = 1'000'000;
    const distance body = compare_bodies(recorded.body, sent.body);
    if (recorded.method != sent.method) {
        return {2 * other_url + body.value, "in the method: recorded " + recorded.method + ", sent " + sent.method};
    }
    if (recorded.url != sent.url) {
        return {other_url + body.value, "in the URL: recorded " + in_quotes(recorded.url) + ", sent " + in_quotes(sent.url)};
    }
    return body;
}

}  // namespace

struct cassette_player::state {
    std::string path;
    mutable std::mutex mutex;
    cassette_secrets secrets;
    result<std::vector<cassette_exchange>> exchanges;
    std::vector<bool> played;

    state(std::string where, const cassette_options& options)
        : path(std::move(where)), secrets(options.secrets), exchanges(load_cassette(path)), played(exchanges ? exchanges->size() : 0) {}

    /// `sanitized` has no secrets, like the recordings.
    failure miss(const http_request& sanitized) const {
        failure out = {
            .code = errc::not_found,
            .message = "the cassette " + path + " has no recording of " + sanitized.method + " " + detail::one_line(sanitized.url, 200),
            .hint = "Send a recorded request, or record again."};
        std::optional<std::size_t> nearest;
        distance least;
        for (std::size_t index = 0; index < exchanges->size(); ++index) {
            distance current = compare_requests((*exchanges)[index].request, sanitized);
            if (!nearest || current.value < least.value) {
                nearest = index;
                least = std::move(current);
            }
        }
        if (!nearest) {
            out.message += ": it is empty";
        } else if (least.value == 0) {
            out.message += " that has not been played";
        } else {
            out.message += "; the nearest is exchanges[" + std::to_string(*nearest) + "]" + (played[*nearest] ? " (played already)" : "") +
                           ", which differs " + least.reason;
        }
        return out;
    }

    result<cassette_exchange> find(const http_request& request) {
        const std::lock_guard lock(mutex);
        if (!exchanges) {
            return exchanges.error();
        }
        secrets.learn(request);
        http_request sanitized;
        sanitized.method = request.method;
        sanitized.url = secrets.clean(request.url);
        sanitized.body = secrets.clean(request.body);
        for (std::size_t index = 0; index < exchanges->size(); ++index) {
            if (!played[index] && compare_requests((*exchanges)[index].request, sanitized).value == 0) {
                played[index] = true;
                cassette_exchange out = (*exchanges)[index];
                if (out.response.body.size() > request.max_response_bytes) {
                    return failure{.code = errc::too_large,
                                   .message = "the recorded body is larger than " + std::to_string(request.max_response_bytes) + " bytes"};
                }
                return out;
            }
        }
        return miss(sanitized);
    }
};

cassette_player::cassette_player(std::string path, cassette_options options) : state_(std::make_shared<state>(std::move(path), options)) {}

result<http_response> cassette_player::send(const http_request& request, const cancel_token& cancel) {
    if (cancel.stop_requested()) {
        return failure{.code = errc::cancelled, .message = "cancelled"};
    }
    result<cassette_exchange> found = state_->find(request);
    if (!found) {
        return std::move(found).error();
    }
    if (found->failed) {
        return *std::move(found->failed);
    }
    return std::move(found->response);
}

result<http_response> cassette_player::stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel) {
    result<cassette_exchange> found = state_->find(request);
    if (!found) {
        return std::move(found).error();
    }
    http_response response = std::move(found->response);
    const bool success = response.status >= 200 && response.status < 300;
    if (success || found->failed) {
        const std::string body = std::exchange(response.body, {});
        std::size_t begin = 0;
        for (const std::size_t end : found->pieces.value_or(std::vector<std::size_t>{body.size()})) {
            if (cancel.stop_requested() || !sink(std::string_view(body).substr(begin, end - begin))) {
                return failure{.code = errc::cancelled, .message = "cancelled"};
            }
            begin = end;
        }
    }
    if (found->failed) {
        return *std::move(found->failed);
    }
    return response;
}

std::size_t cassette_player::left() const {
    const std::lock_guard lock(state_->mutex);
    return static_cast<std::size_t>(std::count(state_->played.begin(), state_->played.end(), false));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
