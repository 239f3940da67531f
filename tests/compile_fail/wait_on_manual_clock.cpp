#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/testing/manual_clock.hpp>
#include <pyaichat/testing/manual_executor.hpp>

namespace ai = pyaichat;

void ask(ai::any_provider model) {
    ai::testing::manual_clock clock;
    ai::testing::manual_executor background;
    ai::basic_agent agent{std::move(model), ai::any_capabilities{}, ai::agent_options{}, ai::borrow(clock), ai::borrow(background)};
    auto run = agent.ask("q");
    static_cast<void>(run.pump());
#if defined(MISTAKE)
    run.wait();
#endif
}
