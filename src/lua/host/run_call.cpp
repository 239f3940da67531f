#include "lua/host/plugin_host.hpp"
#include "lua/sandbox/values.hpp"

#include <pyaichat/core/text.hpp>

#include <atomic>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// The message for the model when a capability has failed (or was stopped) through no fault of the model.
std::string excuse(const std::string& capability, bool stopped) {
    return stopped ? "`" + capability + "` was stopped because it exceeded a resource limit; do not call it again with these arguments"
                   : "`" + capability + "` failed with an internal error, which was reported to the operator; continue without it";
}

/// A call that runs. Owned by whoever continues it: first the caller, then the responder of a nested call.
class running_call : public std::enable_shared_from_this<running_call> {
public:
    running_call(std::shared_ptr<plugin_host> host, capability_call call, capability_responder responder)
        : host_(std::move(host)), call_(std::move(call)), responder_(std::move(responder)) {}

    void begin() {
        std::optional<capability_reply> refused;
        activation::stage reached = activation::stage::ended;
        {
            const std::lock_guard lock(host_->mutex());
            refused = enter(reached);
        }
        refused ? reply(*std::move(refused)) : go_on(reached);
    }

private:
    enum class phase : unsigned char { routing, waiting, answered };

    /// Starts the call, with the lock held. Returns a reply if it cannot start.
    std::optional<capability_reply> enter(activation::stage& reached) {
        const std::optional<found_capability> found = host_->find(call_.name);
        if (!found) {
            return reply_error(reply_code::unknown_function, "the capability `" + call_.name + "` does not exist any more");
        }
        plugin_ = found->in;
        const capability_spec promised = plugin_->live->declared().capabilities[found->index].spec;
        const std::shared_ptr<instance> in = host_->ready(*plugin_);
        if (!in) {
            return reply_error(reply_code::plugin_error, excuse(call_.name, false));
        }
        // Loaded again after a stop, the file may declare something else than what was approved.
        const std::vector<declared_capability>& offered = in->declared().capabilities;
        if (found->index >= offered.size() || offered[found->index].spec != promised) {
            return reply_error(reply_code::plugin_error,
                               "the plugin has changed its declaration of `" + call_.name + "`; the call was not made");
        }
        const declared_capability& wanted = offered[found->index];
        if (const std::vector<schema_error> errors = validate(wanted.arguments, call_.arguments); !errors.empty()) {
            return reply_invalid_args(errors);
        }
        if (const result<void> fits = check_value(call_.arguments); !fits) {
            return reply_error(reply_code::invalid_args, fits.error().message + ". " + fits.error().hint);
        }
        const auto deadline = guest::clock::now() + std::chrono::duration_cast<guest::clock::duration>(bounded_wait(call_.time_left));
        activation_.emplace(in, in->limits().time, call_context{.deadline = deadline, .may_call = true});
        const json* const arguments[] = {&call_.arguments};
        reached = activation_->start(static_cast<int>(found->index) + 1, arguments, wanted.returns.is_null() ? nullptr : &wanted.returns);
        host_->note(*plugin_, *activation_, call_.name, call_.run_id);
        return {};
    }

    void go_on(activation::stage reached) {
        while (reached == activation::stage::calling) {
            phase_ = phase::routing;
            route();
            phase expected = phase::routing;
            if (phase_.compare_exchange_strong(expected, phase::waiting)) {
                host_->tell();
                return;  // `answered` continues
            }
            if (will_not_hear()) {
                break;
            }
            reached = after_answer();
        }
        finish();
    }

    /// Whether the plugin keeps calling although the run's limit of calls is used up. Each refusal is an event, so this could go on
    /// forever.
    bool will_not_hear() {
        constexpr int most_refusals = 16;
        refusals_ = answer_.code == reply_code::limit ? refusals_ + 1 : 0;
        if (refusals_ < most_refusals) {
            return false;
        }
        activation_->ended().what = outcome::kind::refused;
        activation_->ended().text = "the plugin kept calling capabilities after the limit of calls was used up";
        return true;
    }

    /// Passes the nested call to the run.
    void route() {
        const std::string name = activation_->wanted_name();
        if (!host_->grants(name)) {
            answered(
                reply_error(reply_code::not_allowed, "the host does not let plugins call `" + pyaichat::detail::one_line(name, 60) + "`"));
            return;
        }
        if (!call_.others) {
            answered(reply_error(reply_code::limit, "calls are nested too deep, or this call does not belong to a run"));
            return;
        }
        capability_responder responder([self = shared_from_this()](capability_reply answer) { self->answered(std::move(answer)); });
        // If `others` throws, the dropped responder replies `abandoned`.
        guarded([&] { call_.others(name, activation_->wanted_arguments(), std::move(responder)); }, [](std::string_view) {});
    }

    void answered(capability_reply answer) {
        answer_ = std::move(answer);
        if (phase_.exchange(phase::answered) == phase::waiting) {
            host_->post([self = shared_from_this()] { self->will_not_hear() ? self->finish() : self->go_on(self->after_answer()); });
        }
    }

    activation::stage after_answer() {
        const std::lock_guard lock(host_->mutex());
        const activation::stage reached = activation_->go_on(std::move(answer_));
        host_->note(*plugin_, *activation_, call_.name, call_.run_id);
        return reached;
    }

    void finish() {
        outcome& ended = activation_->ended();
        switch (ended.what) {
            case outcome::kind::returned: return reply(reply_with(std::move(ended.value)));
            case outcome::kind::refused: return reply(reply_error(reply_code::plugin_error, std::move(ended.text)));
            default: reply(reply_error(reply_code::plugin_error, excuse(call_.name, ended.what == outcome::kind::stopped)));
        }
    }

    void reply(capability_reply value) {
        {
            const std::lock_guard lock(host_->mutex());
            activation_.reset();
        }
        host_->tell();
        responder_(std::move(value));
    }

    std::shared_ptr<plugin_host> host_;
    capability_call call_;
    capability_responder responder_;
    std::shared_ptr<plugin> plugin_;
    std::optional<activation> activation_;
    std::atomic<phase> phase_ = phase::routing;
    capability_reply answer_;
    int refusals_ = 0;  ///< consecutive ones, because of the run's limit of calls
};

}  // namespace

void run_call(std::shared_ptr<plugin_host> host, capability_call call, capability_responder responder) {
    std::make_shared<running_call>(std::move(host), std::move(call), std::move(responder))->begin();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
