/* An application keeps the compiled programs of a plan itself, and makes a later plan from them. */
#include "example.h"

int main(void)
{
    clscan_error error = {0};
    cl_device_id device;
    clscan_plan *plan = NULL, *later = NULL;
    clscan_kernel_info info = {.struct_size = sizeof info};
    size_t size_bytes = 0;

    const cl_context context = open_context(&device);
    const clscan_problem problem = {sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_MAX, .max_count = 1000};
    must(clscan_plan_create(context, device, &problem, NULL, &plan, &error), &error);

    must(clscan_plan_save(plan, NULL, 0, &size_bytes, &error), &error); /* how large? */
    void *blob = malloc(size_bytes);
    if (blob == NULL)
        return 1;
    must(clscan_plan_save(plan, blob, size_bytes, &size_bytes, &error), &error);
    clscan_plan_destroy(plan); /* else the later one would share its programs in memory */

    const clscan_plan_options options = {sizeof options, .blob = blob, .blob_bytes = size_bytes};
    must(clscan_plan_create(context, device, &problem, &options, &later, &error), &error);
    must(clscan_plan_kernel_info(later, 1000, 0, &info, &error), &error);
    printf("%s\n", info.from_cache ? "nothing was compiled" : "compiled again");
    clscan_plan_destroy(later);
    free(blob);
    clReleaseContext(context);
    return !info.from_cache;
}
