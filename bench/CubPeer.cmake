# clscan-peer-cub, the peer CUB, is built beside clscan-bench on demand: it takes the better part of a minute. CMake's
# own support of CUDA would look for a device and for a host compiler of its choice; a script does without.
option(CLSCAN_BENCH_CUB "Build the peer CUB of clscan-bench (needs nvcc)" OFF)

if(CLSCAN_BENCH_CUB)
  add_custom_command(
    OUTPUT clscan-peer-cub
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/build-cub-peer --build ${PROJECT_BINARY_DIR}
    DEPENDS peer_cub.cu peer_cub.cuh peer_cub_operators.cuh peer_cub_rows.cu peer_cub_scans.cu peer_cub_segments.cu
            peer_cub_selections.cu
            ${PROJECT_SOURCE_DIR}/scripts/build-cub-peer
    COMMENT "Building clscan-peer-cub"
    VERBATIM)
  add_custom_target(clscan_peer_cub ALL DEPENDS clscan-peer-cub)
endif()
