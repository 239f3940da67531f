#include "python/memory/memory_answers.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/core/text.hpp>

#include "fuzz.hpp"

#include <cstring>

namespace ai = pyaichat;

namespace {

using namespace ai::python::detail;

/// A memory that holds the input again and again, at every address. Each word of it may be a pointer, a count or a type: words whose lowest
/// byte is below the number of known types stand for one of them, so that the objects are objects of these types.
class hostile_memory final : public memory_source {
public:
    hostile_memory(const std::uint8_t* data, std::size_t size, const python_addresses& known) : data_(data), size_(size) {
        std::memcpy(types_, &known, sizeof types_);
    }

    bool read(address from, std::span<std::byte> into) override {
        ++reads;
        if (size_ == 0 || from % 251 == 250) {
            return false;
        }
        for (std::size_t i = 0; i < into.size(); ++i) {
            into[i] = static_cast<std::byte>(byte_at(from + i));
        }
        return true;
    }

    std::size_t reads = 0;

private:
    static constexpr std::size_t type_count = sizeof(python_addresses) / sizeof(address);

    [[nodiscard]] std::uint8_t byte_at(address at) const {
        const address word = at / 8;
        const std::uint8_t selector = data_[(word * 8) % size_];
        if (selector < type_count) {
            std::uint8_t bytes[8];
            std::memcpy(bytes, &types_[selector], sizeof bytes);
            return bytes[at % 8];
        }
        return at % 8 > 3 && selector % 2 == 0 ? 0 : data_[at % size_];
    }

    const std::uint8_t* data_;
    std::size_t size_;
    address types_[type_count] = {};
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const memory_map& map = own_memory_map();
    const read_limits limits = {.reads = 3000, .bytes = 1 << 18};
    const ai::json arguments = ai::json::object({{"expr", "a"}, {"max_chars", 300}, {"depth", 3}, {"rows", 5}});
    for (const char* name : {"list_globals", "get_repr", "get_type", "inspect", "get_stack"}) {
        for (const char* expression : {"a", "a.b", "a[0]", "a['x']"}) {
            ai::json given = arguments;
            given["expr"] = expression;
            hostile_memory memory(data, size, map.addresses);
            const memory_view view = {.source = memory, .map = map, .globals = 0x10000, .builtins = 0x20000, .limits = limits};
            const ai::capability_reply reply = answer_from_memory(view, name, given);
            fuzz::must(memory.reads <= limits.reads, "the reads are bounded");
            fuzz::must(ai::detail::is_utf8(ai::dump_json(reply.envelope())), "a reply is UTF-8");
            fuzz::must(!reply.ok() || ai::bool_member(reply.result, "best_effort") == true, "a result says that it is a best effort");
        }
    }
    return 0;
}
