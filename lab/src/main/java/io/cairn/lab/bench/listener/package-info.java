/**
 * {@code cairn-lab bench listener}: the time per iteration that a training with the DL4J listener
 * loses.
 */
@NullMarked
package io.cairn.lab.bench.listener;

import org.jspecify.annotations.NullMarked;
