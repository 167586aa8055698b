/* RadeonRays' compaction: the numbers of the rays that are still alive, by a flag for each, and how many there are. */
#include "../programs/program.h"

enum { RAYS = 70000 };

static void compact(const session *s, cl_mem flags, cl_mem in, cl_mem out, uint64_t count, cl_mem new_count)
{
    const clscan_select by = {.struct_size = sizeof by, .flag_bytes = sizeof(cl_int)};
    const clscan_problem problem = {sizeof problem, CLSCAN_SELECT, .type = CLSCAN_INT32, .max_count = count,
                                    .select = &by};
    const clscan_selection selection = {.struct_size = sizeof selection, .flags.buffer = flags};

    run_once(s, &problem,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = in, .out.buffer = out, .count = count,
                                .total.buffer = new_count, .selection = &selection});
}

int main(void)
{
    static cl_int flag[RAYS], ray[RAYS];
    const session s = open_session();
    cl_uint expected = 0, wrong = 0;

    for (cl_int i = 0; i < RAYS; ++i) {
        flag[i] = i / 100 % 3 == 0 ? i % 2 : i % 50 == 0;
        ray[i] = RAYS - i;
    }
    const cl_mem flags = open_buffer(s.context, sizeof flag, flag), in = open_buffer(s.context, sizeof ray, ray),
                 out = open_buffer(s.context, sizeof ray, NULL), new_count = open_buffer(s.context, 4, NULL);
    compact(&s, flags, in, out, RAYS, new_count);
    const cl_uint alive = read_number(&s, new_count);
    cl_int *rays = read_buffer(&s, out, alive * sizeof *rays);
    for (int i = 0; i < RAYS; ++i)
        if (flag[i] != 0) {
            wrong += expected >= alive || rays[expected] != ray[i];
            ++expected;
        }
    wrong += expected != alive;
    printf("%u of %d rays are alive; %u mistakes\n", alive, RAYS, wrong);
    free(rays);
    close_session(&s);
    return wrong != 0;
}
