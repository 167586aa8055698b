# Give what a library exports a version, CLSCAN_0, as libraries of Linux and the BSDs do. A process into which two
# major versions of clscan are loaded, by two libraries that it uses, then calls the right one from each. What has
# other names than `names` is not exported.
include(CheckLinkerFlag)

function(clscan_version_symbols target names)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
  file(CONFIGURE OUTPUT ${script} @ONLY CONTENT
       "CLSCAN_@PROJECT_VERSION_MAJOR@ { global: @names@; local: *; };\n")
  check_linker_flag(C "-Wl,--version-script=${script}" CLSCAN_LINKER_HAS_VERSION_SCRIPT)
  if(CLSCAN_LINKER_HAS_VERSION_SCRIPT)
    target_link_options(${target} PRIVATE "LINKER:--version-script=${script}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
  endif()
  # The library's own calls are of the library, whatever the program that loads it defines.
  check_linker_flag(C "-Wl,-Bsymbolic-functions" CLSCAN_LINKER_HAS_SYMBOLIC_FUNCTIONS)
  if(CLSCAN_LINKER_HAS_SYMBOLIC_FUNCTIONS)
    target_link_options(${target} PRIVATE "LINKER:-Bsymbolic-functions")
  endif()
endfunction()
