# Run PROGRAM under oclgrind and fail on any report. oclgrind's exit status is that of the program, also
# when it found something, so its log decides.
#
#   cmake -DOCLGRIND=... -DPROGRAM=... -DLOG=... -DCHECKS=... -P run_oclgrind.cmake
file(REMOVE ${LOG})
execute_process(
  COMMAND ${OCLGRIND} ${CHECKS} --check-api --log ${LOG} ${PROGRAM}
  RESULT_VARIABLE result)
set(reports "")
if(EXISTS ${LOG})
  file(READ ${LOG} reports LIMIT 20000)
endif()
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} failed under oclgrind (${result})\n${reports}")
endif()
if(NOT reports STREQUAL "")
  message(FATAL_ERROR "oclgrind reports:\n${reports}")
endif()
message(STATUS "oclgrind reports nothing")
