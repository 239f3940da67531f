#include <pyaichat/policy/model_provider.hpp>

#include <pyaichat/provider/any_provider.hpp>
#include <pyaichat/provider/fallback.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

namespace ai = pyaichat;

namespace {

// [archetype]
struct archetype {
    archetype(archetype&&) = default;
    archetype& operator=(archetype&&) = delete;
    ai::result<ai::model_response> complete(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&);
};
static_assert(ai::model_provider<archetype>);
// [/archetype]
static_assert(ai::model_provider<ai::no_provider>);
static_assert(ai::model_provider<ai::any_provider>);
static_assert(ai::model_provider<ai::testing::scripted_provider>);
static_assert(ai::model_provider<ai::fallback<ai::any_provider, archetype>>);
static_assert(!std::is_constructible_v<ai::any_provider, int>);

struct returns_bare {
    ai::model_response complete(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&);
};
static_assert(!ai::model_provider<returns_bare>);

struct takes_no_token {
    ai::result<ai::model_response> complete(const ai::model_request&, const ai::delta_sink&);
};
static_assert(!ai::model_provider<takes_no_token>);

struct wants_to_change_the_request {
    ai::result<ai::model_response> complete(ai::model_request&, const ai::delta_sink&, const ai::cancel_token&);
};
static_assert(!ai::model_provider<wants_to_change_the_request>);

struct cannot_be_moved {
    cannot_be_moved(cannot_be_moved&&) = delete;
    ai::result<ai::model_response> complete(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&);
};
static_assert(!ai::model_provider<cannot_be_moved>);

}  // namespace
