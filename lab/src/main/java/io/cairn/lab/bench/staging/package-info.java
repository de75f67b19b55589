/**
 * {@code cairn-lab bench staging}: a training whose checkpoints go to STORE by its own process, or
 * by a staging node, beside the prediction of the model of non-blocking checkpoints.
 */
@NullMarked
package io.cairn.lab.bench.staging;

import org.jspecify.annotations.NullMarked;
