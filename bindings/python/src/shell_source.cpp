#include "shell_source.hpp"

#include <pyaichat/shell/shell.hpp>

#include "errors.hpp"
#include "json_values.hpp"
#include "sources.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bindings {

namespace {

/// The shell of one run. Its replies come from the threads of the commands, so they wake the event loop that pumps the run.
class waking_shell {
public:
    waking_shell(ai::shell_options options, std::shared_ptr<const waker> wake) : shell_(std::move(options)), wake_(std::move(wake)) {}

    [[nodiscard]] ai::result<ai::capability_list> specs() const { return shell_.specs(); }
    void invoke(const ai::capability_call& call, ai::capability_responder responder) {
        if (!wake_) {
            shell_.invoke(call, std::move(responder));
            return;
        }
        const auto first = std::make_shared<ai::capability_responder>(std::move(responder));
        shell_.invoke(call, ai::capability_responder(
                                [first, wake = wake_](ai::capability_reply reply) {
                                    (*first)(std::move(reply));
                                    wake->notify();
                                },
                                [first, wake = wake_](std::string_view text) {
                                    first->output(text);
                                    wake->notify();
                                }));
    }
    [[nodiscard]] std::vector<ai::call_decision> review(std::span<const ai::proposed_call> batch) { return shell_.review(batch); }

private:
    ai::shell shell_;
    std::shared_ptr<const waker> wake_;
};

/// What Python programs make: the options of a shell. Each run has a shell of its own, which ends its commands with the run.
class shell_source final : public host_source {
public:
    explicit shell_source(ai::shell_options options) : options_(std::move(options)) {}

    [[nodiscard]] ai::result<void> add_to(ai::any_capabilities& all, ai::agent_options& /*options*/,
                                          const std::shared_ptr<const waker>& wake) override {
        return all.add(waking_shell(options_, wake));
    }

private:
    ai::shell_options options_;
};

void check_rules(const std::vector<std::string>& rules) {
    for (const std::string& each : rules) {
        raise_if_failed(ai::check_shell_rule(each));
    }
}

std::shared_ptr<shell_source> shell_from_python(const py::dict& from) {
    using texts = std::vector<std::string>;
    ai::shell_rules rules{.allow = from["allow"].cast<texts>(), .deny = from["deny"].cast<texts>()};
    check_rules(rules.allow);
    check_rules(rules.deny);
    ai::shell_options out{
        .name = text_of(from["name"]),
        .folder = text_of(from["folder"]),
        .roots = from["roots"].cast<texts>(),
        .timeout = std::chrono::duration_cast<ai::duration>(std::chrono::duration<double>(from["timeout"].cast<double>())),
        .approval = std::move(rules),
        .pty = from["pty"].cast<bool>(),
        .max_output = from["max_output"].cast<std::size_t>(),
        .variables = from["variables"].cast<std::map<std::string, std::string>>(),
        .pass = from["pass_variables"].cast<texts>()};
    return std::make_shared<shell_source>(std::move(out));
}

}  // namespace

void add_shell_source(py::module_& module) {
    py::class_<shell_source, host_source, std::shared_ptr<shell_source>>(module, "Shell")
        .def(py::init(&shell_from_python), py::arg("options"));
}

}  // namespace bindings
