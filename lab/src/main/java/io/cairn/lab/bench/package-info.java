/**
 * {@code cairn-lab bench}: one package per benchmark, each with the figures that it must reach. The
 * benchmarks run the parts as users get them. Results are kept in {@code docs/benchmarks}.
 */
@NullMarked
package io.cairn.lab.bench;

import org.jspecify.annotations.NullMarked;
