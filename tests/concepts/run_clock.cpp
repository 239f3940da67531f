#include <pyaichat/policy/run_clock.hpp>

#include <pyaichat/runtime/steady_clock.hpp>
#include <pyaichat/testing/manual_clock.hpp>

namespace ai = pyaichat;

namespace {

// [archetype]
struct archetype {
    archetype(archetype&&) = delete;
    ai::instant now() const noexcept;
};
static_assert(ai::run_clock<archetype>);
// [/archetype]
static_assert(!ai::is_real_time<archetype>);
static_assert(ai::run_clock<ai::stopped_clock> && !ai::is_real_time<ai::stopped_clock>);
static_assert(ai::run_clock<ai::steady_clock> && ai::is_real_time<ai::steady_clock>);
static_assert(ai::run_clock<ai::testing::manual_clock> && !ai::is_real_time<ai::testing::manual_clock>);

struct may_throw {
    ai::instant now() const;
};
static_assert(!ai::run_clock<may_throw>);

struct is_not_const {
    ai::instant now() noexcept;
};
static_assert(!ai::run_clock<is_not_const>);

struct tells_another_time {
    std::chrono::steady_clock::time_point now() const noexcept;
};
static_assert(!ai::run_clock<tells_another_time>);

}  // namespace
