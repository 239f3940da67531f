#include "terminal/standard_descriptors.hpp"

#include <fcntl.h>

#include <cerrno>

namespace repl {

void open_standard_descriptors() {
    for (int descriptor = 0; descriptor <= 2; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
            // `open` returns the lowest free number, which is this one.
            static_cast<void>(::open("/dev/null", O_RDONLY));
        }
    }
}

}  // namespace repl
