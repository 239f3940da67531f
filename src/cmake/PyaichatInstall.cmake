# Install rules and the package that `find_package(pyaichat COMPONENTS core gemini ...)` finds.
include(CMakePackageConfigHelpers)
get_property(pyaichat_libraries GLOBAL PROPERTY PYAICHAT_LIBRARIES)
list(TRANSFORM pyaichat_libraries REPLACE "^pyaichat_" "" OUTPUT_VARIABLE pyaichat_component_names)
list(JOIN pyaichat_component_names " " pyaichat_component_names)
set(pyaichat_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pyaichat)

install(DIRECTORY include/pyaichat DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES src/provider/prices.json DESTINATION ${CMAKE_INSTALL_DATADIR}/pyaichat)
install(TARGETS ${pyaichat_libraries} EXPORT pyaichatTargets)
install(EXPORT pyaichatTargets NAMESPACE pyaichat:: DESTINATION ${pyaichat_package_dir})

configure_package_config_file(src/cmake/pyaichatConfig.cmake.in ${PROJECT_BINARY_DIR}/pyaichatConfig.cmake
    INSTALL_DESTINATION ${pyaichat_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pyaichatConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pyaichatConfig.cmake ${PROJECT_BINARY_DIR}/pyaichatConfigVersion.cmake
    src/cmake/PyaichatPython.cmake src/cmake/PyaichatLua.cmake DESTINATION ${pyaichat_package_dir})
