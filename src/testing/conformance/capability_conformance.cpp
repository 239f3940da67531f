#include <pyaichat/testing/capability_conformance.hpp>

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

/// Makes one call and waits for its reply, which may arrive on any thread.
class made_call {
public:
    made_call(const source_subject& subject, const sample_call& sample, std::uint64_t number) : turn_(&subject.turn) {
        capability_call call;
        call.run_id = "conformance";
        call.step = 1;
        call.number = number;
        call.name = sample.name;
        call.arguments = sample.arguments;
        call.time_left = subject.patience;
        call.cancel = stop_.get_token();
        capability_responder responder([shared = shared_](capability_reply reply) {
            const std::lock_guard lock(shared->mutex);
            shared->reply = std::move(reply);
            shared->came.notify_all();
        });
        guarded([&] { subject.invoke(call, std::move(responder)); },
                [&](std::string_view what) { thrown_ = "it threw: " + std::string(what); });
    }
    made_call(made_call&&) = delete;
    ~made_call() { stop_.request_stop(); }

    void cancel() { stop_.request_stop(); }

    /// Waits for the reply. Returns nothing and sets `wrong` if the call threw or did not reply within `patience`.
    [[nodiscard]] std::optional<capability_reply> wait(duration patience, std::string& wrong) {
        if (!thrown_.empty()) {
            wrong = thrown_;
            return std::nullopt;
        }
        const auto until = std::chrono::steady_clock::now() + patience;
        std::unique_lock lock(shared_->mutex);
        while (!shared_->reply) {
            if (*turn_) {
                lock.unlock();
                (*turn_)();
                lock.lock();
            }
            const auto now = std::chrono::steady_clock::now();
            if (!shared_->reply && now >= until) {
                wrong = "it did not reply within " + describe(patience);
                return std::nullopt;
            }
            const duration span = *turn_ ? duration(std::chrono::milliseconds(1)) : duration(until - now);
            shared_->came.wait_for(lock, span, [&] { return shared_->reply.has_value(); });
        }
        return shared_->reply;
    }

private:
    struct shared {
        std::mutex mutex;
        std::condition_variable came;
        std::optional<capability_reply> reply;
    };
    const std::function<void()>* turn_;
    std::shared_ptr<shared> shared_ = std::make_shared<shared>();
    cancel_source stop_;
    std::string thrown_;
};

class source_suite {
public:
    explicit source_suite(const source_subject& subject) : subject_(subject) {}

    conformance_report run() && {
        const result<capability_list> declared = subject_.specs();
        report_.add("declares what every service takes", declared ? std::string() : declared.error().message);
        std::string changed = declares_again(declared) ? "" : "asked again at once, it declares something else, or another object";
        if (declared) {
            report_.add("declares what its samples call", objection_to_samples(*declared));
            call_samples(*declared);
            report_.add("decides about each call of a batch", objection_to_review(*declared));
        }
        end_slow_call();
        if (changed.empty() && !declares_again(declared)) {
            changed = "after calls that should have changed nothing, it declares something else, or another object";
        }
        report_.add("declares the same as long as nothing has changed", std::move(changed));
        return std::move(report_);
    }

private:
    [[nodiscard]] bool declares_again(const result<capability_list>& before) const {
        const result<capability_list> now = subject_.specs();
        return now && before ? *now == *before : now.has_value() == before.has_value();
    }

    [[nodiscard]] std::string objection_to_samples(const capability_list& declared) const {
        if (subject_.samples.empty()) {
            return "there are no samples to judge it by";
        }
        for (const sample_call& one : subject_.samples) {
            if (declared.find(one.name) == nullptr) {
                return "it does not declare `" + one.name + "`";
            }
            if (const std::vector<schema_error> errors = declared.validate(one.name, one.arguments); !errors.empty()) {
                return "the arguments for `" + one.name + "` do not fit: `" + errors[0].path + "` " + errors[0].message;
            }
        }
        return {};
    }

    void call_samples(const capability_list& declared) {
        std::string unanswered;
        std::string unwanted;
        std::string wordless;
        std::string unsendable;
        std::string headless;
        std::uint64_t number = 0;
        for (const sample_call& one : subject_.samples) {
            const capability_spec* spec = declared.find(one.name);
            if (spec == nullptr) {
                continue;
            }
            // Two calls at once, because runs of one agent may overlap.
            made_call call(subject_, one, ++number);
            made_call again(subject_, one, ++number);
            for (made_call* each : {&call, &again}) {
                const std::string name = "`" + one.name + "`: ";
                std::string wrong;
                const std::optional<capability_reply> reply = each->wait(subject_.patience, wrong);
                if (!reply || reply->code == reply_code::abandoned) {
                    unanswered = name + (reply ? "it dropped the responder" : wrong);
                    continue;
                }
                if (reply->code != one.wanted) {
                    unwanted = name + "it replied " + std::string(to_string(reply->code)) + ", " + std::string(to_string(one.wanted)) +
                               " was wanted; " + reply->message;
                }
                if (!reply->ok() && detail::is_blank(reply->message)) {
                    wordless = name + "an error without a message helps no model";
                }
                if (nests_deeper_than(reply->envelope(), max_json_depth)) {
                    unsendable = name + "the reply nests too deep to be sent";
                }
                if (reply->ok() && !spec->headline.empty() && find_member(reply->result, spec->headline) == nullptr) {
                    headless = name + "the result has no member `" + spec->headline + "`, which is to be its headline";
                }
            }
        }
        report_.add("answers every call", std::move(unanswered));
        report_.add("replies what the samples want", std::move(unwanted));
        report_.add("tells errors in words", std::move(wordless));
        report_.add("replies what can be sent", std::move(unsendable));
        report_.add("has the headlines that it declares", std::move(headless));
    }

    [[nodiscard]] std::string objection_to_review(const capability_list& declared) const {
        if (!subject_.review) {
            return {};
        }
        std::vector<proposed_call> batch;
        for (const sample_call& one : subject_.samples) {
            if (const capability_spec* spec = declared.find(one.name)) {
                batch.push_back({.number = batch.size() + 1,
                                 .name = one.name,
                                 .arguments = one.arguments,
                                 .effects = spec->effects,
                                 .from = spec->from,
                                 .origin = spec->origin});
            }
        }
        std::string thrown;
        const auto decisions_about = [&](std::span<const proposed_call> calls) {
            std::size_t decisions = 0;
            guarded([&] { decisions = subject_.review(calls).size(); },
                    [&](std::string_view what) { thrown = "it threw: " + std::string(what); });
            return decisions;
        };
        const std::size_t none = decisions_about({});
        const std::size_t all = decisions_about(batch);
        if (!thrown.empty()) {
            return thrown;
        }
        return none == 0 && all == batch.size() ? std::string()
                                                : "it made " + detail::counted(static_cast<std::int64_t>(all), "decision") + " about " +
                                                      detail::counted(static_cast<std::int64_t>(batch.size()), "call");
    }

    void end_slow_call() {
        constexpr const char* name = "ends a call whose token is tripped";
        if (!subject_.slow) {
            report_.skipped.emplace_back(name);
            return;
        }
        made_call call(subject_, *subject_.slow, 1'000'000);
        call.cancel();
        std::string wrong;
        static_cast<void>(call.wait(subject_.patience, wrong));
        report_.add(name, std::move(wrong));
    }

    const source_subject& subject_;
    conformance_report report_;
};

}  // namespace

conformance_report check_source(const source_subject& subject) {
    return source_suite(subject).run();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
