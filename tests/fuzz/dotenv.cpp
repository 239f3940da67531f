#include "assistant/dotenv.hpp"

#include "fuzz.hpp"

#include <string>
#include <string_view>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    for (const auto& [name, value] : repl::parse_dotenv(text)) {
        fuzz::must(!name.empty() && name.find_first_of("= \n#") == std::string::npos, "a name is a name");
        fuzz::must(text.find(name) != std::string_view::npos && value.size() <= size, "nothing is made up");
    }
    return 0;
}
