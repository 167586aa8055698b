# What cpack needs to make the Debian packages libclscan0 (or whatever the SONAME is), libclscan-dev and clscan-tools
# of the components clscan_library, clscan_development and clscan_tools. Included before any target is made, since
# the packages are compiled with Debian's flags.
if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  message(FATAL_ERROR "Debian packages are installed to /usr, not to ${CMAKE_INSTALL_PREFIX}; use the preset package")
endif()
find_program(DPKG_BUILDFLAGS dpkg-buildflags REQUIRED)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps REQUIRED)
find_program(GZIP gzip REQUIRED)
mark_as_advanced(DPKG_BUILDFLAGS DPKG_SHLIBDEPS GZIP)

# Debian's flags, with all hardening. No debug information: there is no package for it.
function(clscan_debian_flags name output)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env DEB_BUILD_MAINT_OPTIONS=hardening=+all DEB_CFLAGS_MAINT_STRIP=-g
            ${DPKG_BUILDFLAGS} --get ${name}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  set(${output} ${flags} PARENT_SCOPE)
endfunction()
clscan_debian_flags(CPPFLAGS preprocessor_flags)
clscan_debian_flags(CFLAGS compiler_flags)
clscan_debian_flags(LDFLAGS linker_flags)
add_compile_options(${preprocessor_flags} ${compiler_flags})
add_link_options(${linker_flags})
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
# A path of the build folder, even if it is removed again, would make a program's build ID depend on that folder.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)

# Who answers for the packages, by the variables that Debian's own tools read.
set(maintainer "clscan maintainers <maintainers@clscan.invalid>")
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CLSCAN_PACKAGE_CONTACT "${maintainer}" CACHE STRING "Maintainer of the Debian packages: \"NAME <ADDRESS>\"")

set(library_package libclscan${PROJECT_VERSION_MAJOR})
set(development_package libclscan-dev)
set(tools_package clscan-tools)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${CLSCAN_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_COMPONENTS_ALL clscan_library clscan_development clscan_tools)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/FinishDebianFiles.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/FinishDebianPackages.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SOURCE clscan)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)

set(same_version "(= ${PROJECT_VERSION})")
set(introduction "clscan computes running sums, running maxima, or any other
associative operation, on buffers of an OpenCL device. It chooses its kernels
by device and problem size.")

set(CPACK_DEBIAN_CLSCAN_LIBRARY_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_CLSCAN_LIBRARY_DESCRIPTION "parallel prefix scan on OpenCL devices
${introduction}")
set(CPACK_DEBIAN_CLSCAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_CLSCAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CLSCAN_LIBRARY_PACKAGE_SUGGESTS "opencl-icd")
set(CPACK_DEBIAN_CLSCAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/triggers)
# Within a minor version the ABI is one and the same, so any patch version of it will do.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

set(CPACK_DEBIAN_CLSCAN_DEVELOPMENT_PACKAGE_NAME ${development_package})
set(CPACK_DEBIAN_CLSCAN_DEVELOPMENT_DESCRIPTION "parallel prefix scan on OpenCL devices (development files)
${introduction}
.
This package holds the headers, the static library, and what CMake and
pkg-config need to find clscan.")
set(CPACK_DEBIAN_CLSCAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_CLSCAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${library_package} ${same_version}"
    "ocl-icd-opencl-dev"
    "opencl-c-headers | opencl-headers"
    "libjansson-dev (>= 2.13)")
list(JOIN CPACK_DEBIAN_CLSCAN_DEVELOPMENT_PACKAGE_DEPENDS ", " CPACK_DEBIAN_CLSCAN_DEVELOPMENT_PACKAGE_DEPENDS)

set(CPACK_DEBIAN_CLSCAN_TOOLS_PACKAGE_NAME ${tools_package})
set(CPACK_DEBIAN_CLSCAN_TOOLS_DESCRIPTION "parallel prefix scan on OpenCL devices (tools)
${introduction}
.
This package holds the command clscan, which scans files and tells about
devices, the tuner clscan-tune, and the benchmark clscan-bench.")
set(CPACK_DEBIAN_CLSCAN_TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_CLSCAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CLSCAN_TOOLS_PACKAGE_DEPENDS "${library_package} ${same_version}")
set(CPACK_DEBIAN_CLSCAN_TOOLS_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")

# Every package has its copyright and its changelog.
set(debian_folder ${PROJECT_BINARY_DIR}/debian)
string(TIMESTAMP CHANGELOG_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, if that is set
configure_file(${PROJECT_SOURCE_DIR}/packaging/debian/changelog.in ${debian_folder}/changelog @ONLY)
execute_process(COMMAND ${GZIP} -9n -c ${debian_folder}/changelog
                OUTPUT_FILE ${debian_folder}/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
foreach(component library development tools)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/debian/copyright ${debian_folder}/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${${component}_package} COMPONENT clscan_${component})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${library_package} COMPONENT clscan_library)
install(FILES ${PROJECT_SOURCE_DIR}/examples/first_scan.c
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${development_package}/examples COMPONENT clscan_development)
include(CPack)
