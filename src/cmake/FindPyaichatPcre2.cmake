# PCRE2 for UTF-8: sets PyaichatPcre2_LIBRARY, an absolute path, so that the installed package needs no find step for it, and
# PyaichatPcre2_INCLUDE_DIRS.
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
    pkg_check_modules(pc_pcre2 QUIET libpcre2-8)
endif()
find_path(PyaichatPcre2_INCLUDE_DIR pcre2.h HINTS ${pc_pcre2_INCLUDEDIR})
find_library(PyaichatPcre2_LIBRARY NAMES pcre2-8 HINTS ${pc_pcre2_LIBDIR})
mark_as_advanced(PyaichatPcre2_INCLUDE_DIR PyaichatPcre2_LIBRARY)

if(PyaichatPcre2_INCLUDE_DIR)
    file(STRINGS ${PyaichatPcre2_INCLUDE_DIR}/pcre2.h pcre2_version REGEX "^#define PCRE2_(MAJOR|MINOR) ")
    string(REGEX REPLACE "^.*MAJOR +([0-9]+).*MINOR +([0-9]+).*$" "\\1.\\2" PyaichatPcre2_VERSION "${pcre2_version}")
endif()
set(PyaichatPcre2_INCLUDE_DIRS ${PyaichatPcre2_INCLUDE_DIR})
# Named again, the compiler's own folders would come in another order, and the standard library's include_next would miss its target.
list(REMOVE_ITEM PyaichatPcre2_INCLUDE_DIRS ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PyaichatPcre2 REQUIRED_VARS PyaichatPcre2_LIBRARY PyaichatPcre2_INCLUDE_DIR VERSION_VAR PyaichatPcre2_VERSION)
