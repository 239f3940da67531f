#include "net/http_engine.hpp"

#include "net/http_call.hpp"

#include <pyaichat/core/env.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

std::string proxy_variable(const char* upper, const char* lower) {
    std::string value = env(lower);
    return value.empty() ? env(upper) : value;
}

}  // namespace

http_engine::http_engine(loop_runner& runner, const https_options& options, host_lookup look_up)
    : runner_(runner),
      shared_{.loop = runner.io(),
              .names = resolver(runner.weak_from_this(), std::move(look_up)),
              .certificates = certificate_store(runner.weak_from_this(), options.ca_file),
              .proxy = options.proxy ? *options.proxy : proxy_variable("HTTPS_PROXY", "https_proxy"),
              .no_proxy = options.no_proxy ? *options.no_proxy : proxy_variable("NO_PROXY", "no_proxy")},
      pool_(runner.io(), std::max<std::size_t>(options.max_connections_per_origin, 1), options.max_idle_per_origin) {}

http_engine::~http_engine() = default;

void http_engine::add(std::shared_ptr<http_call> call) {
    call->set_place(active_.size());
    active_.push_back(std::move(call));
}

void http_engine::conclude_later(http_call& call) {
    ended_.push_back(active_[call.place()]);
}

void http_engine::settle() {
    bool has_time = true;
    while (has_time && !ended_.empty()) {
        concluding_.swap(ended_);
        auto next = concluding_.begin();
        while (has_time && next != concluding_.end()) {
            const std::shared_ptr<http_call> call = std::move(*next++);
            active_[call->place()] = std::move(active_.back());
            active_[call->place()]->set_place(call->place());
            active_.pop_back();
            call->conclude();
            runner_.ended(*call);
            has_time = !shared_.loop.over();
        }
        ended_.insert(ended_.begin(), std::make_move_iterator(next), std::make_move_iterator(concluding_.end()));
        concluding_.clear();
    }
}

void http_engine::end_all() {
    closing_ = true;
    for (const std::shared_ptr<http_call>& call : active_) {
        call->end_with_transport();
    }
    settle();
    pool_.clear();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
