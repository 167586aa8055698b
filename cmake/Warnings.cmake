# Warnings for clscan's own targets only; consumers never inherit them.
function(clscan_add_warnings target)
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:C,CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef>
      $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
      $<$<BOOL:${CLSCAN_WARNINGS_AS_ERRORS}>:-Werror>)
  endif()
endfunction()
