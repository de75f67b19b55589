/**
 * The values that every module speaks in: names, levels, checkpoints, ancestry and manifests. All
 * immutable, all checked when they are made, none of them does I/O. How they are written to bytes
 * stands in {@code io.cairn.flush}, how they change in {@code io.cairn.core.protocol}.
 */
@NullMarked
package io.cairn.core.model;

import org.jspecify.annotations.NullMarked;
