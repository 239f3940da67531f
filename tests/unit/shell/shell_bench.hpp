#pragma once
#include <pyaichat/shell/shell.hpp>

#include "catch.hpp"

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <future>
#include <string>
#include <utility>

namespace ai = pyaichat;
using namespace std::chrono_literals;

/// One call of a shell, and what it shows.
class running_call {
public:
    running_call(ai::shell& shell, ai::json arguments, std::function<void(const std::string&)> on_output = {},
                 ai::duration time_left = ai::duration::max()) {
        ai::capability_call call{.name = "exec", .arguments = std::move(arguments), .time_left = time_left, .cancel = source_.get_token()};
        shell.invoke(call, ai::capability_responder([this](ai::capability_reply reply) { reply_.set_value(std::move(reply)); },
                                                    [this, on_output = std::move(on_output)](std::string_view text) {
                                                        shown += text;
                                                        ++pieces;
                                                        if (on_output) {
                                                            on_output(shown);
                                                        }
                                                    }));
    }
    void cancel() { source_.request_stop(); }
    ai::capability_reply wait() { return reply_.get_future().get(); }

    std::string shown = {};
    int pieces = 0;

private:
    ai::cancel_source source_;
    std::promise<ai::capability_reply> reply_;
};

inline ai::capability_reply run(ai::shell& shell, ai::json arguments) {
    return running_call(shell, std::move(arguments)).wait();
}

inline ai::capability_reply run(ai::shell_options options, const std::string& command) {
    ai::shell shell(std::move(options));
    return run(shell, {{"command", command}});
}

/// The output of a command that succeeds.
inline std::string output_of(const std::string& command, ai::shell_options options = {}) {
    const ai::capability_reply reply = run(std::move(options), command);
    INFO(reply.message);
    REQUIRE(reply.ok());
    return reply.result.value("output", "");
}

/// A folder of the test, removed with it.
struct scratch_folder {
    std::filesystem::path path =
        std::filesystem::canonical(std::filesystem::temp_directory_path()) / ("pyaichat_shell_" + std::to_string(::getpid()));
    scratch_folder() { std::filesystem::create_directories(path / "inner"); }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
    ~scratch_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};
