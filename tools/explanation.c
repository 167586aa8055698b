#include "explanation.h"

#include "command_line/failure.h"
#include "config_file/axes.h"
#include "json_output.h"

static clscan_status put_variant(json_t *into, const clscan_variant *variant, clscan_error *error)
{
    clscan_status status;
    json_t *object = json_object();
    char text[512];

    TRY(json_put(into, "variant", object, error)); /* the other object's from here on */
    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i) {
        const clscan__axis *axis = &clscan__axes[i];

        TRY(json_put(object, axis->name, json_text(axis->values[clscan__axis_get(axis, variant)]), error));
    }
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i) {
        const clscan__param *param = &clscan__params[i];
        const bool needed = clscan__param_needed(variant, param);

        TRY(json_put(object, param->name, needed ? json_integer(clscan__param_get(param, variant)) : json_null(),
                     error));
    }
    clscan_variant_format(variant, text, sizeof text);
    TRY(json_put(into, "variant_text", json_text(text), error));

cleanup:
    return status;
}

static clscan_status put_sizes(json_t *object, const clscan_variant *variant, const clscan_problem *problem,
                               clscan_error *error)
{
    clscan_status status;

    TRY(json_put(object, "tile_count", json_integer((json_int_t)clscan_variant_tile_count(variant)), error));
    TRY(json_put(object, "local_memory_bytes", json_integer((json_int_t)clscan_variant_local_bytes(variant, problem)),
                 error));
    TRY(json_put(object, "register_bytes", json_integer((json_int_t)clscan_variant_register_bytes(variant, problem)),
                 error));

cleanup:
    return status;
}

static clscan_status add_class(json_t *array, const clscan_problem *problem, const size_class *added,
                               clscan_error *error)
{
    clscan_status status;
    const clscan_choice *choice = &added->choice;
    json_t *object = json_object();

    TRY(json_add(array, object, error)); /* the array's from here on */
    TRY(json_put(object, "first_count", json_number(added->first, 0), error));
    TRY(json_put(object, "last_count", json_number(added->last, UINT64_MAX), error));
    TRY(put_variant(object, &choice->variant, error));
    TRY(put_sizes(object, &choice->variant, problem, error));
    TRY(json_put(object, "source", json_text(choice->source), error));
    TRY(json_put(object, "entry", json_text(choice->entry), error));
    TRY(json_put(object, "matched", json_text(choice->matched), error));
    TRY(json_put(object, "reason", json_text(choice->reason), error));
    TRY(json_put(object, "revision", json_text(choice->revision), error));

cleanup:
    return status;
}

clscan_type explained_output_type(const explained_problem *problem)
{
    const clscan_problem *what = &problem->what;

    return what->accumulator != NULL ? what->accumulator->type : what->output != NULL ? what->output->type : what->type;
}

static clscan_status put_problem(json_t *root, const explained_problem *problem, clscan_error *error)
{
    clscan_status status;
    json_t *object = json_object();

    TRY(json_put(root, "problem", object, error)); /* the root's from here on */
    TRY(json_put(object, "operation",
                 json_text(problem->repeats ? "repeat" : clscan__config_operation_name(problem->operation)), error));
    TRY(json_put(object, "type", json_text(clscan_type_name(problem->what.type)), error));
    TRY(json_put(object, "output_type", json_text(clscan_type_name(explained_output_type(problem))), error));
    TRY(json_put(object, "op", json_text(clscan_operator_name(problem->what.op)), error));
    TRY(json_put(object, "form", json_text(problem->what.form == CLSCAN_EXCLUSIVE ? "exclusive" : "inclusive"), error));
    TRY(json_put(object, "direction", json_text(problem->what.direction == CLSCAN_REVERSE ? "reverse" : "forward"),
                 error));
    TRY(json_put(object, "in_place", json_boolean(problem->in_place), error));
    TRY(json_put(object, "reproducible", json_boolean(problem->what.reproducible), error));

cleanup:
    return status;
}

clscan_status explanation_make(const clscan_device_info *device, const explained_problem *problem,
                               const size_class *classes, size_t class_count, json_t **object, clscan_error *error)
{
    clscan_status status;
    json_t *root = json_object();
    json_t *array = json_array();

    TRY(json_put(root, "format", json_integer(JSON_FORMAT), error));
    TRY(json_put(root, "clscan", json_text(clscan_version()), error));
    TRY(json_put(root, "name", json_text(device->name), error));
    TRY(json_put(root, "key", json_text(device->key), error));
    TRY(put_problem(root, problem, error));
    TRY(json_put(root, "count", problem->has_count ? json_count(problem->count) : json_null(), error));
    for (size_t i = 0; i < class_count; ++i)
        TRY(add_class(array, &problem->what, &classes[i], error));
    TRY(json_put(root, "size_classes", json_incref(array), error));
    *object = root;
    root = NULL; /* now the caller's */

cleanup:
    json_decref(array);
    json_decref(root);
    return status;
}
