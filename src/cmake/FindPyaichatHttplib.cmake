# cpp-httplib, compiled (Debian and its like: flags by pkg-config, there is no CMake package) or header-only.
#
# Sets what the one source file that includes it is compiled with, and what its library links:
#   PyaichatHttplib_INCLUDE_DIRS  PyaichatHttplib_OPTIONS  PyaichatHttplib_DEFINITIONS  PyaichatHttplib_LIBRARIES
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
    pkg_check_modules(pc_httplib QUIET cpp-httplib)
endif()

find_path(PyaichatHttplib_INCLUDE_DIR httplib.h HINTS ${pc_httplib_INCLUDEDIR})
mark_as_advanced(PyaichatHttplib_INCLUDE_DIR)

set(PyaichatHttplib_INCLUDE_DIRS ${PyaichatHttplib_INCLUDE_DIR})
# Named again, the compiler's own folders would come in another order, and the standard library's include_next would miss its target.
list(REMOVE_ITEM PyaichatHttplib_INCLUDE_DIRS ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
set(PyaichatHttplib_OPTIONS "")
set(PyaichatHttplib_DEFINITIONS "")
set(PyaichatHttplib_LIBRARIES "")
if(pc_httplib_FOUND AND pc_httplib_LINK_LIBRARIES)
    # A compiled library and its header agree only under exactly these macros.
    set(PyaichatHttplib_OPTIONS ${pc_httplib_CFLAGS_OTHER})
    set(PyaichatHttplib_LIBRARIES ${pc_httplib_LINK_LIBRARIES})
    set(PyaichatHttplib_VERSION ${pc_httplib_VERSION})
elseif(PyaichatHttplib_INCLUDE_DIR)
    set(PyaichatHttplib_DEFINITIONS PYAICHAT_HTTPLIB_HEADER_ONLY CPPHTTPLIB_OPENSSL_SUPPORT)
    find_package(ZLIB QUIET)
    if(ZLIB_FOUND)
        list(APPEND PyaichatHttplib_DEFINITIONS CPPHTTPLIB_ZLIB_SUPPORT)
        list(APPEND PyaichatHttplib_LIBRARIES ${ZLIB_LIBRARIES})
    endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PyaichatHttplib REQUIRED_VARS PyaichatHttplib_INCLUDE_DIR VERSION_VAR PyaichatHttplib_VERSION)
