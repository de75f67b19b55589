/**
 * Collaborative checkpoints, for real and between processes: the coordinator alone with as many
 * ranks as it is made for, and whole checkpoints over slowed links, beside what the plans predicted
 * of them. Slowed links live in {@link io.cairn.lab.study.throttle}, and results in {@code
 * docs/benchmarks}.
 */
@NullMarked
package io.cairn.lab.bench.collaborative;

import org.jspecify.annotations.NullMarked;
