/// Where there is no libFuzzer: gives a target every file of the folders named, whole and cut short, so that the corpus is a test.
#include "fuzz.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

void give(const std::string& bytes, std::size_t size) {
    // A copy of exactly this size on the heap: whoever reads past it is seen by a sanitizer.
    const std::vector<std::uint8_t> copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    static_cast<void>(LLVMFuzzerTestOneInput(copy.data(), copy.size()));
}

}  // namespace

int main(int argc, char** argv) {
    constexpr std::size_t cuts = 32;
    std::size_t files = 0;
    for (int i = 1; i < argc; ++i) {
        for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
            const std::size_t stride = std::max<std::size_t>(1, bytes.size() / cuts);
            for (std::size_t size = 0; size < bytes.size(); size += stride) {
                give(bytes, size);
            }
            give(bytes, bytes.size());
            ++files;
        }
    }
    std::printf("%zu files\n", files);
    return files > 0 ? 0 : 1;
}
