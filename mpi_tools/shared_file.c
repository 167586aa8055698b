#include "shared_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "command_line/failure.h"

#define PIECE_BYTES (UINT64_C(16) << 20)

static clscan_status fail_mpi(const shared_file *file, int code, clscan_error *error)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;

    MPI_Error_string(code, text, &length);
    return fail(error, CLSCAN_ERROR_FILE, "%s: %s", file->name, text);
}

clscan_status shared_file_open(shared_file *file, const ranks *r, const char *path, const char *name, bool writes,
                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    int code;

    *file = (shared_file){.name = name, .file = MPI_FILE_NULL};
    code = MPI_File_open(r->all, path, writes ? MPI_MODE_WRONLY : MPI_MODE_RDONLY, MPI_INFO_NULL, &file->file);
    if (code != MPI_SUCCESS) {
        file->file = MPI_FILE_NULL;
        status = fail_mpi(file, code, error);
    }
    status = ranks_agree(r, status, error);
    if (status != CLSCAN_OK)
        file->file = MPI_FILE_NULL; /* only all can close it */
    return status;
}

typedef clscan_status move_piece(const shared_file *file, uint64_t at_bytes, uint64_t offset_bytes, void *piece,
                                 size_t size_bytes, cl_command_queue queue, cl_mem buffer, clscan_error *error);

static clscan_status read_piece(const shared_file *file, uint64_t at_bytes, uint64_t offset_bytes, void *piece,
                                size_t size_bytes, cl_command_queue queue, cl_mem buffer, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    MPI_Status done;
    int got = 0;
    const int code = MPI_File_read_at(file->file, (MPI_Offset)at_bytes, piece, (int)size_bytes, MPI_BYTE, &done);

    if (code != MPI_SUCCESS)
        return fail_mpi(file, code, error);
    MPI_Get_count(&done, MPI_BYTE, &got);
    REQUIRE(got == (int)size_bytes, CLSCAN_ERROR_FILE, "%s: it became shorter while it was read", file->name);
    TRY_CL(clEnqueueWriteBuffer, (queue, buffer, CL_TRUE, (size_t)offset_bytes, size_bytes, piece, 0, NULL, NULL));

cleanup:
    return status;
}

static clscan_status write_piece(const shared_file *file, uint64_t at_bytes, uint64_t offset_bytes, void *piece,
                                 size_t size_bytes, cl_command_queue queue, cl_mem buffer, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    MPI_Status done;
    int put = 0, code;

    TRY_CL(clEnqueueReadBuffer, (queue, buffer, CL_TRUE, (size_t)offset_bytes, size_bytes, piece, 0, NULL, NULL));
    code = MPI_File_write_at(file->file, (MPI_Offset)at_bytes, piece, (int)size_bytes, MPI_BYTE, &done);
    if (code != MPI_SUCCESS)
        return fail_mpi(file, code, error);
    MPI_Get_count(&done, MPI_BYTE, &put);
    REQUIRE(put == (int)size_bytes, CLSCAN_ERROR_FILE, "%s: only %d of %zu bytes could be written", file->name, put,
            size_bytes);

cleanup:
    return status;
}

static clscan_status move(const shared_file *file, uint64_t at_bytes, uint64_t size_bytes, cl_command_queue queue,
                          cl_mem buffer, move_piece *move_one, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t most = size_bytes < PIECE_BYTES ? size_bytes : PIECE_BYTES;
    void *piece;

    if (size_bytes == 0)
        return status;
    piece = malloc((size_t)most);
    REQUIRE(piece != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for %" PRIu64 " bytes", file->name, most);
    for (uint64_t moved = 0; moved < size_bytes; moved += most) {
        const uint64_t left = size_bytes - moved;

        TRY(move_one(file, at_bytes + moved, moved, piece, (size_t)(left < most ? left : most), queue, buffer, error));
    }

cleanup:
    free(piece);
    return status;
}

clscan_status shared_file_read(const shared_file *file, uint64_t at_bytes, uint64_t size_bytes, cl_command_queue queue,
                               cl_mem buffer, clscan_error *error)
{
    return move(file, at_bytes, size_bytes, queue, buffer, read_piece, error);
}

clscan_status shared_file_write(const shared_file *file, uint64_t at_bytes, uint64_t size_bytes, cl_command_queue queue,
                                cl_mem buffer, clscan_error *error)
{
    return move(file, at_bytes, size_bytes, queue, buffer, write_piece, error);
}

clscan_status shared_file_close(shared_file *file, const ranks *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    int code;

    if (file->file == MPI_FILE_NULL)
        return status;
    code = MPI_File_close(&file->file);
    if (code != MPI_SUCCESS)
        status = fail_mpi(file, code, error);
    file->file = MPI_FILE_NULL;
    return ranks_agree(r, status, error);
}
