# Install the library and what finds it, in two components: clscan_library, which running programs need, and
# clscan_development. Included by src/CMakeLists.txt.
include(CMakePackageConfigHelpers)
include(${PROJECT_SOURCE_DIR}/cmake/InstallPkgConfig.cmake)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/clscan)
set(version_file ${generated_folder}/clscan-config-version.cmake)

install(TARGETS clscan EXPORT clscan-targets
        LIBRARY COMPONENT clscan_library NAMELINK_COMPONENT clscan_development)
install(TARGETS clscan_static EXPORT clscan-static-targets ARCHIVE COMPONENT clscan_development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ ${generated_folder}/include/
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT clscan_development FILES_MATCHING PATTERN "*.h")
# Two exports: the shared library can be used without what only the static one links.
foreach(export clscan-targets clscan-static-targets)
  install(EXPORT ${export} NAMESPACE clscan:: DESTINATION ${package_folder} COMPONENT clscan_development)
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/clscan-config.cmake.in
                              ${generated_folder}/clscan-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${version_file} COMPATIBILITY SameMajorVersion)
install(FILES ${generated_folder}/clscan-config.cmake ${version_file}
        DESTINATION ${package_folder} COMPONENT clscan_development)
clscan_install_pkg_config(clscan clscan_development)
