#include "net/resolver.hpp"

#include <map>

namespace pyaichat::inline PYAICHAT_ABI::net {

result<std::shared_ptr<resolver::job>> resolver::find(const std::string& host) {
    std::erase_if(running_, [](const auto& entry) { return entry.second->done(); });
    if (const auto running = running_.find(host); running != running_.end()) {
        return running->second;
    }
    result<std::shared_ptr<job>> started = job::start(loop_, [host, look_up = look_up_] { return look_up(host); });
    if (started) {
        running_.emplace(host, *started);
    }
    return started;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
