#include <pyaichat/agent/basic_agent.hpp>

#include "agent/driver/run_driver.hpp"

#include <pyaichat/agent/recover.hpp>

#include <algorithm>
#include <chrono>
#include <random>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

namespace {

std::uint64_t next_seed(agent_options& options) {
    if (options.seed) {
        return (*options.seed)++;
    }
    // Reads entropy once per thread, because it can be slow. The time makes the numbers of a forked process differ.
    thread_local std::mt19937_64 numbers = [] {
        std::random_device entropy;
        std::seed_seq seeds{entropy(), entropy(), entropy(), entropy()};
        return std::mt19937_64(seeds);
    }();
    return numbers() ^ static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

std::string run_id_of(std::uint64_t seed) {
    // 13 digits of base 32. The id has 15 characters, so a string holds it without an allocation: each event has a copy.
    constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuv";
    std::string text = "r-0000000000000";
    for (std::size_t i = text.size(); i-- > 2; seed >>= 5) {
        text[i] = digits[seed & 31];
    }
    return text;
}

result<std::uint64_t> claim(any_journal& journal, const std::string& run_id, std::uint64_t last) {
    return guarded([&] { return journal.claim(run_id, last); },
                   [](std::string_view what) {
                       return result<std::uint64_t>(failure{.code = errc::internal, .message = "the journal threw: " + std::string(what)});
                   });
}

/// Returns the log of a run whose last known record has this number, or fails with `lease_lost` if its journal has later ones. Any other
/// failure of the journal is a gap in the log.
result<run_log> continued_log(any_journal& journal, const std::string& run_id, std::uint64_t last) {
    const result<std::uint64_t> owner = claim(journal, run_id, last);
    if (!owner && owner.error().code == errc::lease_lost) {
        return owner.error();
    }
    return run_log(journal, run_id, owner, last);
}

}  // namespace

std::shared_ptr<run_driver> start_run(std::shared_ptr<run_policies> policies, run_request request, on observers) {
    agent_options& options = policies->options;
    const instant now = policies->now();
    std::uint64_t seed = next_seed(options);
    std::string run_id = run_id_of(seed);
    result<std::uint64_t> owner = claim(options.journal, run_id, 0);
    while (!owner && owner.error().code == errc::lease_lost) {  // an earlier process used the same fixed seed
        seed = next_seed(options);
        run_id = run_id_of(seed);
        owner = claim(options.journal, run_id, 0);
    }
    run_setup setup{.run_id = std::move(run_id),
                    .instructions = request.instructions ? std::move(*request.instructions) : options.instructions,
                    .history = std::move(request.history),
                    .context = std::move(request.context),
                    .question = std::move(request.question),
                    .limits = options.limits,
                    .seed = seed,
                    .mode = request.mode,
                    .images = std::move(request.images),
                    .answer_schema = std::move(request.answer_schema)};
    run_log log(options.journal, setup.run_id, owner);
    log.begin(setup, now);
    return std::make_shared<run_driver>(std::move(policies), run_machine(std::move(setup), now), std::move(log), std::move(observers));
}

result<std::shared_ptr<run_driver>> restore_run(std::shared_ptr<run_policies> policies, const json& snapshot, on observers) {
    const instant now = policies->now();
    result<run_machine> machine = run_machine::restore(snapshot, now);
    if (!machine) {
        return std::move(machine.error());
    }
    const std::string run_id(string_member(snapshot, "run_id").value_or(""));
    const auto records = static_cast<std::uint64_t>(std::max<std::int64_t>(integer_member(snapshot, "records").value_or(0), 0));
    result<run_log> log = continued_log(policies->options.journal, run_id, records);
    if (!log) {
        return std::move(log.error());
    }
    if (!machine->finished()) {
        log->begin(snapshot, now);
    }
    return std::make_shared<run_driver>(std::move(policies), std::move(*machine), std::move(*log), std::move(observers));
}

result<std::shared_ptr<run_driver>> recover_run(std::shared_ptr<run_policies> policies, std::span<const journal_record> records,
                                                on observers) {
    const instant now = policies->now();
    result<recovered_run> recovered = recover(records, now);
    if (!recovered) {
        return std::move(recovered.error());
    }
    result<run_log> log = continued_log(policies->options.journal, recovered->run_id, recovered->records);
    if (!log) {
        return std::move(log.error());
    }
    if (!recovered->machine.finished()) {
        log->recovered(now);
    }
    return std::make_shared<run_driver>(std::move(policies), std::move(recovered->machine), std::move(*log), std::move(observers));
}

}  // namespace detail

template class basic_agent<any_provider, any_capabilities, steady_clock, thread_executor>;

}  // namespace pyaichat::inline PYAICHAT_ABI
