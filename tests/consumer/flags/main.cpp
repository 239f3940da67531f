#include "question.hpp"

#include <cstdio>

namespace {

int tell(const char* half, const std::string& wrong) {
    std::printf("%s: %s\n", half, wrong.empty() ? "well" : wrong.c_str());
    return wrong.empty() ? 0 : 1;
}

}  // namespace

int main() {
    int status = tell("without exceptions", flags::without_exceptions());
#if defined(FLAGS_MIXED)
    status |= tell("with exceptions", flags::with_exceptions());
#endif
    return status;
}
