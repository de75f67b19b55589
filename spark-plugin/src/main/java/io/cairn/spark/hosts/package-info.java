/**
 * Hosts with copies at NODE, for Spark's scheduler. Knows the group's notes at STORE, and nothing
 * of coordinators.
 */
@NullMarked
package io.cairn.spark.hosts;

import org.jspecify.annotations.NullMarked;
