# Install clscan_mpi and what finds it, beside the library (InstallLibrary.cmake). Included by mpi/CMakeLists.txt.
include(${PROJECT_SOURCE_DIR}/cmake/InstallPkgConfig.cmake)

# It finds the library beside it, whatever the prefix; see InstallProgram.cmake.
if(NOT CMAKE_INSTALL_FULL_LIBDIR IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
  set_target_properties(clscan_mpi PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()
install(TARGETS clscan_mpi EXPORT clscan-mpi-targets
        LIBRARY COMPONENT clscan_mpi NAMELINK_COMPONENT clscan_mpi_development)
install(FILES include/clscan/mpi.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/clscan COMPONENT clscan_mpi_development)
install(EXPORT clscan-mpi-targets NAMESPACE clscan::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/clscan COMPONENT clscan_mpi_development)
clscan_install_pkg_config(clscan_mpi clscan_mpi_development)
