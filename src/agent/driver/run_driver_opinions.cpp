/// Who is asked before a batch of calls may run.
#include <pyaichat/agent/detail/run_driver.hpp>

#include "message/value_depth.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

void run_driver::ask() {
    if (hooks_.empty() && !approval_ && !guarded([&] { return has_say(); }, [](std::string_view) { return true; })) {
        feed(input::opinions{});
        return;
    }
    const instant before = now();
    const std::uint64_t round = asking_ = gathered_ + 1;
    gather(machine_.proposed(), [this, round, before](std::vector<input::opinions::opinion> all) {
        check_deadline(before);
        if (asking_ == round) {
            feed(input::opinions{.all = std::move(all)});
        }
    });
    check_deadline(before);
}

/// Everybody who has a say is asked; whoever fails denies.
void run_driver::gather(const std::vector<proposed_call>& batch, unique_function<void(std::vector<input::opinions::opinion>)> then) {
    ++gathered_;
    std::vector<input::opinions::opinion> sources;
    std::vector<input::opinions::opinion> host;
    const auto add = [&](std::vector<input::opinions::opinion>& to, std::vector<call_decision> decisions, const std::string& otherwise) {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            to.push_back(
                {.call = batch[i].number, .decision = i < decisions.size() ? std::move(decisions[i]) : call_decision::deny(otherwise)});
        }
    };
    const auto failed = [](std::string_view thrown) { return "the approval policy failed: " + std::string(thrown); };
    guarded(
        [&] {
            if (auto decisions = review(batch)) {
                add(sources, *std::move(decisions), "the capability's own approval policy did not decide about this call");
            }
        },
        [&](std::string_view thrown) { add(sources, {}, failed(thrown)); });
    if (approval_) {
        guarded([&] { add(host, approval_.decide(batch), "the approval policy did not decide about this call"); },
                [&](std::string_view thrown) { add(host, {}, failed(thrown)); });
    }
    hooks_.before_call(batch, [said = std::move(sources), host = std::move(host),
                               then = std::move(then)](std::vector<input::opinions::opinion> hooked) mutable {
        // In this order: of two equally strict, the first gives the reason.
        said.insert(said.end(), std::make_move_iterator(hooked.begin()), std::make_move_iterator(hooked.end()));
        said.insert(said.end(), std::make_move_iterator(host.begin()), std::make_move_iterator(host.end()));
        for (input::opinions::opinion& one : said) {
            if (nests_deeper_than(one.decision.arguments, max_value_depth)) {  // before anybody copies them
                one.decision = call_decision::deny("the arguments that it was changed to nest too deep");
            }
        }
        then(std::move(said));
    });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
