#include "python/memory/elf_symbols.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

// The parts of the ELF format that are read here, so that this file does not depend on the system's <elf.h>.
struct elf_header {
    unsigned char identification[16];
    std::uint16_t type, machine;
    std::uint32_t version;
    std::uint64_t entry, program_headers, section_headers;
    std::uint32_t flags;
    std::uint16_t size, program_header_size, program_header_count, section_header_size, section_count, section_names;
};
struct elf_segment {
    std::uint32_t type, flags;
    std::uint64_t offset, address, physical, file_size, memory_size, alignment;
};
struct elf_section {
    std::uint32_t name, type;
    std::uint64_t flags, address, offset, size;
    std::uint32_t link, info;
    std::uint64_t alignment, entry_size;
};
struct elf_symbol {
    std::uint32_t name;
    unsigned char info, other;
    std::uint16_t section;
    std::uint64_t value, size;
};

constexpr std::uint32_t loaded_segment = 1;
constexpr std::uint32_t symbol_table = 2;
constexpr std::uint32_t dynamic_symbols = 11;
constexpr std::uint64_t max_table_bytes = std::uint64_t{256} << 20;
constexpr address page_mask = ~address{4095};

class elf_file {
public:
    explicit elf_file(const std::string& path) : stream_(path, std::ios::binary | std::ios::ate) {
        size_ = stream_ ? static_cast<std::uint64_t>(stream_.tellg()) : 0;
    }

    /// Reads `count` structures; fewer if the file ends.
    template <class T>
    [[nodiscard]] std::vector<T> read(std::uint64_t offset, std::uint64_t count) {
        if (offset > size_ || count > (size_ - offset) / sizeof(T) || count > max_table_bytes / sizeof(T)) {
            return {};
        }
        std::vector<T> values(static_cast<std::size_t>(count));
        stream_.seekg(static_cast<std::streamoff>(offset));
        stream_.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
        return stream_ ? values : std::vector<T>();
    }

private:
    std::ifstream stream_;
    std::uint64_t size_ = 0;
};

std::string_view string_in(const std::vector<char>& strings, std::uint32_t at) {
    if (at >= strings.size()) {
        return {};
    }
    const auto begin = strings.begin() + at;
    return {&*begin, static_cast<std::size_t>(std::find(begin, strings.end(), '\0') - begin)};
}

void collect_symbols(elf_file& file, const elf_section& table, const std::vector<elf_section>& sections,
                     const std::set<std::string, std::less<>>& names, elf_image& image) {
    if (table.link >= sections.size()) {
        return;
    }
    const std::vector<char> strings = file.read<char>(sections[table.link].offset, sections[table.link].size);
    for (const elf_symbol& each : file.read<elf_symbol>(table.offset, table.size / sizeof(elf_symbol))) {
        if (each.section == 0 || each.value == 0) {
            continue;  // defined elsewhere
        }
        if (const std::string_view name = string_in(strings, each.name); names.contains(name)) {
            image.symbols.emplace(name, each.value);
        }
    }
}

}  // namespace

std::optional<elf_image> read_elf(const std::string& path, const std::set<std::string, std::less<>>& names) {
    elf_file file(path);
    const std::vector<elf_header> header = file.read<elf_header>(0, 1);
    constexpr unsigned char magic[] = {0x7F, 'E', 'L', 'F', 2, 1};  // 64 bits, little-endian
    if (header.empty() || std::memcmp(header[0].identification, magic, sizeof magic) != 0) {
        return std::nullopt;
    }
    elf_image image;
    for (const elf_segment& each : file.read<elf_segment>(header[0].program_headers, header[0].program_header_count)) {
        if (each.type == loaded_segment) {
            image.first_segment = each.address & page_mask;
            break;
        }
    }
    const std::vector<elf_section> sections = file.read<elf_section>(header[0].section_headers, header[0].section_count);
    if (header[0].section_names < sections.size()) {
        const elf_section& named = sections[header[0].section_names];
        const std::vector<char> strings = file.read<char>(named.offset, named.size);
        for (const elf_section& each : sections) {
            if (string_in(strings, each.name) == ".PyRuntime") {
                image.python_runtime = each.address;
            }
        }
    }
    for (const std::uint32_t kind : {dynamic_symbols, symbol_table}) {
        for (const elf_section& each : sections) {
            if (each.type == kind && image.symbols.size() < names.size()) {
                collect_symbols(file, each, sections, names, image);
            }
        }
    }
    return image;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
