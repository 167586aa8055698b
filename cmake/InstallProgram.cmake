# clscan_install_program(target): install a program, which then finds the library beside it, whatever the prefix.
function(clscan_install_program target)
  # Where the dynamic linker looks anyway, a path of its own would only hide a library that replaces this one.
  if(NOT CMAKE_INSTALL_FULL_LIBDIR IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  endif()
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT clscan_tools)
endfunction()
