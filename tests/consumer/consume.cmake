# Builds tests/consumer/project in a folder of its own, the way WAY, and runs what it built.
set(folder ${BUILD}/consumer/${WAY})
file(REMOVE_RECURSE ${folder}/prefix)  # what was built stays, so that only the first time is slow
function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        string(JOIN " " command ${ARGN})
        message(FATAL_ERROR "${command}\nfailed (${status}):\n${output}")
    endif()
    message("${output}")
endfunction()

if(WAY STREQUAL "find_package")
    run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder}/prefix)
    set(how -DCMAKE_PREFIX_PATH=${folder}/prefix)
else()
    # Only what has to be compiled again: the core.
    set(how -DPYAICHAT_SOURCE=${SOURCE})
    set(GEMINI OFF)
    set(PYTHON OFF)
endif()
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/consumer/project -B ${folder}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_FLAGS=${FLAGS} -DEXAMPLES=${SOURCE}/examples -DWITH_GEMINI=${GEMINI} -DWITH_PYTHON=${PYTHON} ${how})
run(${CMAKE_COMMAND} --build ${folder}/build)
run(${folder}/build/frame_loop)
if(PYTHON)
    run(${folder}/build/python_session)
endif()
