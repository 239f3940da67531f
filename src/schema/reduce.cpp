#include <pyaichat/schema/reduce.hpp>

#include "schema/schema_reducer.hpp"

namespace pyaichat::inline PYAICHAT_ABI {

reduced_schema reduce_schema(const json& schema, const schema_profile& profile) {
    return detail::schema_reducer(profile).run(schema);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
