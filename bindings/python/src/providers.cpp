#include "providers.hpp"

#include <pyaichat/choice/provider_choice.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/net/url.hpp>
#include <pyaichat/provider/price_table.hpp>
#include <pyaichat/provider/priced.hpp>
#include <pyaichat/runtime/thread_executor.hpp>

#include "errors.hpp"
#include "gil.hpp"
#include "json_values.hpp"
#include "messages.hpp"

#include <atomic>
#include <utility>

namespace bindings {

namespace {

/// The threads of all blocking providers. Never destroyed: a provider that ignores its token may run until the process ends.
ai::thread_executor& threads() {
    static auto* const shared = new ai::thread_executor(ai::thread_executor_options{.max_threads = 256});
    return *shared;
}

/// One attempt of a provider in Python: where it streams to and replies.
class attempt {
public:
    attempt(ai::delta_sink sink, ai::cancel_token cancel, ai::model_reply reply)
        : sink_(std::move(sink)), cancel_(std::move(cancel)), reply_(std::move(reply)) {}

    [[nodiscard]] bool cancelled() const noexcept { return cancel_.stop_requested(); }
    void text(py::handle piece) const { sink_.text(text_of(piece)); }
    void thought(py::handle piece) const { sink_.thought(text_of(piece)); }
    void reply(const py::dict& response) { settle(response_from_python(response)); }
    void fail(const std::string& code, const std::string& message, const std::string& hint, std::optional<double> retry_after) {
        ai::failure why{.code = code_named(code), .message = message, .hint = hint};
        if (retry_after) {
            why.retry_after = std::chrono::duration_cast<ai::duration>(std::chrono::duration<double>(*retry_after));
        }
        settle(std::move(why));
    }

private:
    [[nodiscard]] static ai::errc code_named(const std::string& name) {
        for (const ai::errc each : {ai::errc::rate_limited, ai::errc::quota_exhausted, ai::errc::unavailable, ai::errc::authentication,
                                    ai::errc::permission_denied, ai::errc::unknown_model, ai::errc::request_rejected,
                                    ai::errc::bad_response, ai::errc::too_large, ai::errc::timeout, ai::errc::connection_failed}) {
            if (ai::to_string(each) == name) {
                return each;
            }
        }
        return ai::errc::internal;
    }
    void settle(ai::result<ai::model_response> outcome) {
        if (!settled_.exchange(true)) {
            reply_(std::move(outcome));
        }
    }

    ai::delta_sink sink_;
    ai::cancel_token cancel_;
    ai::model_reply reply_;
    std::atomic<bool> settled_ = false;
};

/// A provider in Python: a function that gets the request and an `Attempt`, and returns at once.
class python_provider {
public:
    explicit python_provider(object_ref begin) : begin_(std::move(begin)) {}

    void start(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel, ai::model_reply reply) {
        const with_gil held;
        keeping_interrupts([&] { begin_.get()(request_to_python(request), std::make_shared<attempt>(sink, cancel, std::move(reply))); });
    }

private:
    object_ref begin_;
};

/// The price of a model by the built-in table. Fails if the table does not have it.
ai::result<ai::model_price> price_of(const ai::provider_choice& choice) {
    const ai::price_table& table = ai::price_table::built_in();
    if (choice.gemini) {
        return table.find("gemini", choice.name);
    }
    if (choice.anthropic) {
        return table.find("anthropic", choice.name);
    }
    if (!choice.openai) {
        return ai::model_price{};
    }
    const ai::openai_profile& profile = choice.openai->profile;
    if (profile.key_optional) {
        // A server that a person runs is free. On another machine, somebody may charge for it.
        const auto url = ai::net::parse_url(choice.openai->base_url.empty() ? profile.base_url : choice.openai->base_url);
        if (url && url->loopback()) {
            return ai::model_price{};
        }
    }
    return table.find(profile.name, choice.name);
}

std::shared_ptr<named_provider> provider_of(const std::string& service, const std::string& model, const std::string& key,
                                            const std::string& url) {
    ai::provider_request wanted = value_or_raise(ai::provider_named(service));
    wanted.model = model;
    wanted.places = "in the environment";
    const auto outside = [&](const char* name) -> std::optional<std::string> {
        const std::string_view variable = name;
        if (!key.empty() && variable.ends_with("_KEY")) {
            return key;
        }
        if (!url.empty() && variable.ends_with("_BASE_URL")) {
            return url;
        }
        return ai::process_environment(name);
    };
    const ai::provider_choice choice = value_or_raise(ai::choose_provider(wanted, outside, {}));
    std::string name = service == "offline" ? service : service + ":" + choice.name;
    const ai::any_provider unpriced = ai::make_provider(choice);
    const ai::result<ai::model_price> price = price_of(choice);
    ai::any_provider used = price ? ai::any_provider(ai::priced{unpriced, *price}) : unpriced;
    return std::make_shared<named_provider>(named_provider{std::move(used), std::move(name), unpriced});
}

/// The same provider with another price: dollars for a million tokens.
std::shared_ptr<named_provider> with_price(const named_provider& self, double input, double output, std::optional<double> cached_input) {
    ai::model_price price;
    price.tokens = {.input = ai::dollars(input), .output = ai::dollars(output)};
    if (cached_input) {
        price.tokens.cached_input = ai::dollars(*cached_input);
    }
    return std::make_shared<named_provider>(named_provider{ai::priced{self.unpriced, price}, self.name, self.unpriced});
}

}  // namespace

void run_provider::start(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel,
                         ai::model_reply reply) {
    ai::delta_sink shown = sink;
    ai::model_reply answered = std::move(reply);
    if (wake_) {
        shown = ai::delta_sink([sink, wake = wake_](ai::delta_sink::kind what, std::string_view piece) {
            sink(what, piece);
            wake->notify();
        });
        answered = ai::model_reply([first = std::move(answered), wake = wake_](ai::result<ai::model_response> outcome) mutable {
            first(std::move(outcome));
            wake->notify();
        });
    }
    if (provider_.is_async()) {
        provider_.start(request, shown, cancel, std::move(answered));
        return;
    }
    threads().submit(ai::task([provider = provider_, request, shown = std::move(shown), cancel, answered = std::move(answered)]() mutable {
        ai::result<ai::model_response> outcome = ai::failure{.code = ai::errc::internal, .message = "the provider threw"};
        try {
            outcome = provider.complete(request, shown, cancel);
        } catch (const std::exception& error) {
            outcome = ai::failure{.code = ai::errc::internal, .message = std::string("the provider threw: ") + error.what()};
        }
        answered(std::move(outcome));
    }));
}

void add_providers(py::module_& module) {
    py::class_<named_provider, std::shared_ptr<named_provider>>(module, "Provider")
        .def_static("named", &provider_of, py::arg("service"), py::arg("model"), py::arg("api_key"), py::arg("base_url"))
        .def_static(
            "in_python",
            [](py::object begin, std::string name) {
                const ai::any_provider made(python_provider(object_ref(std::move(begin))));
                return std::make_shared<named_provider>(named_provider{made, std::move(name), made});
            },
            py::arg("begin"), py::arg("name"))
        .def("with_price", &with_price, py::arg("input"), py::arg("output"), py::arg("cached_input"))
        .def_property_readonly("name", [](const named_provider& self) { return to_str(self.name); });
    py::class_<attempt, std::shared_ptr<attempt>>(module, "Attempt")
        .def_property_readonly("cancelled", &attempt::cancelled)
        .def("text", &attempt::text)
        .def("thought", &attempt::thought)
        .def("reply", &attempt::reply)
        .def("fail", &attempt::fail, py::arg("code"), py::arg("message"), py::arg("hint"), py::arg("retry_after"));
}

}  // namespace bindings
