#include <pyaichat/policy/task_executor.hpp>

#include <pyaichat/runtime/inline_executor.hpp>
#include <pyaichat/runtime/thread_executor.hpp>
#include <pyaichat/testing/manual_executor.hpp>

namespace ai = pyaichat;

namespace {

// [archetype]
struct archetype {
    archetype(archetype&&) = delete;
    void submit(ai::task);
};
static_assert(ai::task_executor<archetype>);
// [/archetype]
static_assert(ai::task_executor<ai::dropping_executor>);
static_assert(ai::task_executor<ai::inline_executor>);
static_assert(ai::task_executor<ai::thread_executor>);
static_assert(ai::task_executor<ai::testing::manual_executor>);

struct returns_something {
    bool submit(ai::task);
};
static_assert(!ai::task_executor<returns_something>);

struct takes_plain_functions {
    void submit(void (*)());
};
static_assert(!ai::task_executor<takes_plain_functions>);

struct takes_a_reference {
    void submit(ai::task&);
};
static_assert(!ai::task_executor<takes_a_reference>);

}  // namespace
