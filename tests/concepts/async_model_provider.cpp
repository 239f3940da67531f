#include <pyaichat/policy/async_model_provider.hpp>

#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/provider/any_provider.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

namespace ai = pyaichat;

namespace {

// [archetype]
struct archetype {
    archetype(archetype&&) = default;
    archetype& operator=(archetype&&) = delete;
    void start(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&, ai::model_reply);
};
static_assert(ai::async_model_provider<archetype>);
// [/archetype]
static_assert(ai::any_model_provider<archetype> && !ai::model_provider<archetype>);
static_assert(ai::async_model_provider<ai::borrowed<archetype>>);
static_assert(ai::async_model_provider<ai::any_provider> && ai::model_provider<ai::any_provider>);
static_assert(std::is_constructible_v<ai::any_provider, archetype>);
static_assert(!ai::async_model_provider<ai::testing::scripted_provider> && ai::any_model_provider<ai::testing::scripted_provider>);

struct returns_something {
    bool start(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&, ai::model_reply);
};
static_assert(!ai::async_model_provider<returns_something>);

// A responder is moved: there is one answer, and who holds the responder owes it.
struct borrows_the_reply {
    void start(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&, ai::model_reply&);
};
static_assert(!ai::async_model_provider<borrows_the_reply>);

struct takes_no_token {
    void start(const ai::model_request&, const ai::delta_sink&, ai::model_reply);
};
static_assert(!ai::async_model_provider<takes_no_token>);

struct cannot_be_moved {
    cannot_be_moved(cannot_be_moved&&) = delete;
    void start(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&, ai::model_reply);
};
static_assert(!ai::async_model_provider<cannot_be_moved> && ai::async_model_provider<ai::borrowed<cannot_be_moved>>);

}  // namespace
