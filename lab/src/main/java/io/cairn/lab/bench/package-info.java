/**
 * {@code cairn-lab bench}: one package per benchmark. Each declares its options, cases, ways and
 * bars, over the harness in {@link io.cairn.lab.measure}. The benchmarks run the parts as users get
 * them. Results are kept in {@code docs/benchmarks}.
 */
@NullMarked
package io.cairn.lab.bench;

import org.jspecify.annotations.NullMarked;
