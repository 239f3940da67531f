#pragma once
#include <pyaichat/provider/any_provider.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Makes one attempt on a detached thread, because the attempt may never return.
class watched_attempt {
public:
    watched_attempt(any_provider provider, model_request request, const cancel_token& cancel = {}) {
        std::thread([state = state_, provider = std::move(provider), request = std::move(request), cancel]() mutable {
            const delta_sink sink([state](delta_sink::kind what, std::string_view piece) {
                const std::lock_guard lock(state->mutex);
                state->late = state->late || state->outcome.has_value();
                if (what == delta_sink::kind::restart) {
                    state->shown.clear();
                } else if (what == delta_sink::kind::text) {
                    state->shown += piece;
                }
            });
            std::string thrown;
            result<model_response> outcome = guarded([&] { return provider.complete(request, sink, cancel); },
                                                     [&](std::string_view what) {
                                                         thrown = what;
                                                         return result<model_response>(failure{.message = "it threw"});
                                                     });
            const std::lock_guard lock(state->mutex);
            state->thrown = std::move(thrown);
            state->outcome = std::move(outcome);
            state->returned.notify_all();
        }).detach();
    }

    /// Waits for the outcome. Returns null and sets `wrong` if the attempt threw or did not return within `patience`.
    [[nodiscard]] const result<model_response>* wait(duration patience, std::string& wrong) const {
        std::unique_lock lock(state_->mutex);
        if (!state_->returned.wait_for(lock, patience, [&] { return state_->outcome.has_value(); })) {
            wrong = "it did not return within " + describe(patience);
            return nullptr;
        }
        if (!state_->thrown.empty()) {
            wrong = "it threw: " + state_->thrown;
            return nullptr;
        }
        return &*state_->outcome;
    }
    [[nodiscard]] std::string shown() const {
        const std::lock_guard lock(state_->mutex);
        return state_->shown;
    }
    [[nodiscard]] bool shown_late() const {
        const std::lock_guard lock(state_->mutex);
        return state_->late;
    }

private:
    struct shared {
        std::mutex mutex;
        std::condition_variable returned;
        std::optional<result<model_response>> outcome;
        std::string thrown;
        std::string shown;
        bool late = false;
    };
    std::shared_ptr<shared> state_ = std::make_shared<shared>();
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
