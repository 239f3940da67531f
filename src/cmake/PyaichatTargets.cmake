# The private warnings target and the one way in which the libraries are declared.
include(GNUInstallDirs)
find_package(Threads REQUIRED)

add_library(pyaichat_dev INTERFACE)
target_compile_options(pyaichat_dev INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wcast-align -Wunused
    # g++ 12 sees overlapping copies in optimised concatenations of strings where there are none (GCC 105651); may go with that compiler.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    $<$<BOOL:${PYAICHAT_WERROR}>:-Werror>)

# In a unit of several files, two warnings are about the other files: a local name that a helper of another file has too, and a type of a
# nameless namespace in what seems to be a header.
add_library(pyaichat_dev_unity INTERFACE)
target_compile_options(pyaichat_dev_unity INTERFACE
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-shadow;-Wshadow=local;-Wno-subobject-linkage>" $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wno-shadow>)

# pyaichat_unity(TARGET source...): where CMAKE_UNITY_BUILD is set, as all presets do, the sources of a folder are compiled as one unit. Two
# helpers of one folder must not have the same name then.
function(pyaichat_unity target)
    if(NOT CMAKE_UNITY_BUILD)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:pyaichat_dev_unity>)
    foreach(source IN LISTS ARGN)
        get_filename_component(folder ${source} DIRECTORY)
        string(MAKE_C_IDENTIFIER "${target}_${folder}" group)
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endforeach()
endfunction()

# pyaichat_precompile(TARGET): where PYAICHAT_PRECOMPILE is set, as development presets do, the libraries parse the headers of the standard
# library and of nlohmann/json once.
function(pyaichat_precompile target)
    if(PYAICHAT_PRECOMPILE AND target STREQUAL "pyaichat_core")
        target_precompile_headers(pyaichat_core PRIVATE ${PROJECT_SOURCE_DIR}/src/cmake/precompiled.hpp)
    elseif(PYAICHAT_PRECOMPILE)
        target_precompile_headers(${target} REUSE_FROM pyaichat_core)
    endif()
endfunction()

# pyaichat_library(ROOM SOURCES file... [LINK lib...] [PRIVATE lib...]): the static library pyaichat_ROOM, alias pyaichat::ROOM.
function(pyaichat_library room)
    cmake_parse_arguments(arg "" "" "SOURCES;LINK;PRIVATE" ${ARGN})
    add_library(pyaichat_${room} STATIC ${arg_SOURCES})
    add_library(pyaichat::${room} ALIAS pyaichat_${room})
    set_target_properties(pyaichat_${room} PROPERTIES EXPORT_NAME ${room} POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
    target_compile_features(pyaichat_${room} PUBLIC cxx_std_20)
    target_include_directories(pyaichat_${room} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_include_directories(pyaichat_${room} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(pyaichat_${room} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:pyaichat_dev>)
    set_property(GLOBAL APPEND PROPERTY PYAICHAT_LIBRARIES pyaichat_${room})
    pyaichat_unity(pyaichat_${room} ${arg_SOURCES})
    pyaichat_precompile(pyaichat_${room})
endfunction()
