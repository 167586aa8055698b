/* Grey pictures: binary PGM files of 8 bits. */
#ifndef CLSCAN_EXAMPLES_PICTURE_H
#define CLSCAN_EXAMPLES_PICTURE_H

#include "program.h"

typedef struct picture {
    cl_uint width, height;
    unsigned char *pixel;
} picture;

/* A number of the head of a PGM file, behind comments. */
static inline cl_uint read_head(FILE *file, const char *name)
{
    unsigned number;
    int comment;

    while (fscanf(file, " %1[#]", (char[2]){0}) == 1)
        while ((comment = fgetc(file)) != '\n' && comment != EOF)
            ;
    if (fscanf(file, "%u", &number) != 1 || number == 0 || number > 32767)
        refuse(name, "has a size or depth that is not served");
    return number;
}

/* A binary PGM file of 8 bits, or if there is no name, a picture of this function's own. */
static inline picture read_picture(const char *name)
{
    picture p = {641, 479, NULL};
    char magic[3] = "";

    if (name == NULL) {
        p.pixel = allocate(p.width * p.height);
        for (cl_uint i = 0; i < p.width * p.height; ++i)
            p.pixel[i] = (unsigned char)(i % p.width / 20 * (i / p.width / 20) % 2 * 200 + i % 31);
        return p;
    }
    FILE *file = open_file(name, "rb");
    if (fscanf(file, "%2s", magic) != 1 || strcmp(magic, "P5") != 0)
        refuse(name, "does not begin with P5");
    p.width = read_head(file, name);
    p.height = read_head(file, name);
    if (read_head(file, name) > 255)
        refuse(name, "has more than 8 bits for each pixel");
    fgetc(file); /* one white space */
    p.pixel = allocate((size_t)p.width * p.height);
    if (fread(p.pixel, p.width, p.height, file) != p.height)
        refuse(name, "ends early");
    fclose(file);
    return p;
}

#endif
