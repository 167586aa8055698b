# Run by cpack when the packages are made, for two things that CMake 3.25 cannot be told: the packages for which
# several architectures may be installed side by side, and to leave the linker's cache to a trigger instead of scripts.
find_program(DPKG_DEB dpkg-deb REQUIRED)
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(folder ${package}.unpacked)
  file(REMOVE_RECURSE ${folder})
  execute_process(COMMAND ${DPKG_DEB} --raw-extract ${package} ${folder} COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${folder}/DEBIAN/postinst ${folder}/DEBIAN/postrm)
  set(sharing foreign)
  if(package MATCHES "/libclscan[^/]*$")
    set(sharing same)
  endif()
  file(READ ${folder}/DEBIAN/control control)
  file(WRITE ${folder}/DEBIAN/control "Multi-Arch: ${sharing}\n${control}")
  execute_process(COMMAND ${DPKG_DEB} --root-owner-group -Zxz --build ${folder} ${package}
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE ${folder})
endforeach()
