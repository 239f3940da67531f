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

/// How far a recording is from a request, and why.
struct distance {
    std::size_t far = 0;  ///< 0 = it fits
    std::string why = {};
};

std::string in_quotes(std::string_view text) {
    return "\"" + detail::one_line(text, 200) + "\"";
}

distance compare_bodies(const std::string& recorded, const std::string& sent) {
    if (recorded == sent) {
        return {};
    }
    const result<json> one = parse_json(recorded);
    const result<json> other = parse_json(sent);
    if (!one || !other) {
        return {1, "in the body: recorded " + in_quotes(recorded) + ", sent " + in_quotes(sent)};
    }
    const cassette_difference found = compare_json(*one, *other);
    if (found.count == 0) {
        return {};
    }
    const std::string more = found.count > 1 ? " (the first of " + std::to_string(found.count) + " differences)" : "";
    return {found.count, "at " + (found.place.empty() ? "the whole body" : found.place) + ": recorded " + found.recorded + ", sent " +
                             found.sent + more};
}

/// A difference in method or URL counts more than any in a body.
distance compare_requests(const http_request& recorded, const http_request& sent) {
    constexpr std::size_t other_url = 1'000'000;
    const distance body = compare_bodies(recorded.body, sent.body);
    if (recorded.method != sent.method) {
        return {2 * other_url + body.far, "in the method: recorded " + recorded.method + ", sent " + sent.method};
    }
    if (recorded.url != sent.url) {
        return {other_url + body.far, "in the URL: recorded " + in_quotes(recorded.url) + ", sent " + in_quotes(sent.url)};
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

    result<cassette_exchange> find(const http_request& request);
    [[nodiscard]] failure miss(const http_request& asked) const;
};

/// `asked` is without its secrets, like what was recorded.
failure cassette_player::state::miss(const http_request& asked) const {
    failure out = {.code = errc::not_found,
                   .message = "the cassette " + path + " has no recording of " + asked.method + " " + detail::one_line(asked.url, 200),
                   .hint = "Ask what was recorded, or record again."};
    std::optional<std::size_t> nearest;
    distance least;
    for (std::size_t index = 0; index < exchanges->size(); ++index) {
        distance one = compare_requests((*exchanges)[index].request, asked);
        if (!nearest || one.far < least.far) {
            nearest = index;
            least = std::move(one);
        }
    }
    if (!nearest) {
        out.message += ": it is empty";
    } else if (least.far == 0) {
        out.message += " that has not been played";
    } else {
        out.message += "; the nearest is exchanges[" + std::to_string(*nearest) + "]" + (played[*nearest] ? " (played already)" : "") +
                       ", which differs " + least.why;
    }
    return out;
}

result<cassette_exchange> cassette_player::state::find(const http_request& request) {
    const std::lock_guard lock(mutex);
    if (!exchanges) {
        return exchanges.error();
    }
    secrets.learn(request);
    http_request asked;
    asked.method = request.method;
    asked.url = secrets.clean(request.url);
    asked.body = secrets.clean(request.body);
    for (std::size_t index = 0; index < exchanges->size(); ++index) {
        if (!played[index] && compare_requests((*exchanges)[index].request, asked).far == 0) {
            played[index] = true;
            cassette_exchange out = (*exchanges)[index];
            if (out.response.body.size() > request.max_response_bytes) {
                return failure{.code = errc::too_large,
                               .message = "the recorded body is larger than " + std::to_string(request.max_response_bytes) + " bytes"};
            }
            return out;
        }
    }
    return miss(asked);
}

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
