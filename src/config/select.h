/* The selection chain: from a device and a problem to one variant, with the reason. */
#ifndef CLSCAN_CONFIG_SELECT_H
#define CLSCAN_CONFIG_SELECT_H

#include <stdbool.h>

#include <clscan/config.h>

/* All configs that take part, in the order of include/clscan/config.h. */
typedef struct clscan__selector clscan__selector;

/* Take every source as it is now (sources.h). `explicit_config` may be NULL and must outlive the selector. */
clscan_status clscan__selector_create(const clscan_config *explicit_config, clscan__selector **selector,
                                      clscan_error *error);
void clscan__selector_destroy(clscan__selector *selector);

/* Choose for one count, of one scan where the problem has rows. choice->largest_count is the last count for which this
 * call would answer the same, so that a plan can walk the size classes: count = 1, then largest_count + 1, ... Always
 * finds something. */
void clscan__selector_choose(const clscan__selector *selector, const clscan_device_info *device,
                             const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice);

/* The same for the rows of a problem, of `count` elements each, from entries that were measured on rows. False if none
 * serves: then only choice->largest_count means something. */
bool clscan__selector_choose_rows(const clscan__selector *selector, const clscan_device_info *device,
                                  const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice);

/* Is there nothing that a measurement of so long could add? So it is where the choice for the count comes from a config
 * that the application or the environment names, that a person made, or that was measured on this device with its
 * present driver, unless that measurement had far less time and was not done. */
bool clscan__selector_is_settled(const clscan__selector *selector, const clscan_device_info *device,
                                 const clscan_problem *problem, uint64_t count, uint64_t bound_ns);

/* What serves where no config does: it runs on every device. */
clscan_variant clscan__selector_last_resort(const clscan_problem *problem);

#endif
