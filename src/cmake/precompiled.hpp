// The headers that nearly every file includes, parsed once for a development build (PYAICHAT_PRECOMPILE). No file relies on them: the
// release build, clang-tidy, and the check that each public header compiles alone do without.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>
