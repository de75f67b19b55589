/**
 * Handwritten digits: the data, the split into folds, the network, and the training of one fold
 * under checkpoints. Runs in one process; what spreads folds over executors and kills them lives
 * elsewhere.
 */
@NullMarked
package io.cairn.examples.digits;

import org.jspecify.annotations.NullMarked;
