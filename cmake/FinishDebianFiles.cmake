# Run by cpack when the files of all packages are laid out: Debian has its manual pages compressed, its static libraries
# without what only the compiler wanted to say, and completions where its own zsh looks.
find_program(GZIP gzip REQUIRED)
find_program(STRIP strip REQUIRED)
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/*.[1-9]")
if(pages)
  execute_process(COMMAND ${GZIP} -9nf ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
file(GLOB_RECURSE archives "${CPACK_TEMPORARY_DIRECTORY}/*/usr/lib/*.a")
foreach(archive IN LISTS archives)
  execute_process(COMMAND ${STRIP} --strip-debug --enable-deterministic-archives --remove-section=.comment ${archive}
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB zsh_folders "${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/zsh/site-functions")
foreach(folder IN LISTS zsh_folders)
  file(RENAME ${folder} ${folder}/../vendor-completions)
endforeach()
