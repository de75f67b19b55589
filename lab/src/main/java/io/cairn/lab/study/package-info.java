/**
 * The studies: models, their simulations, published figures, and schedules of recorded problems. A
 * study answers a question about Cairn's choices; no operator needs it, so the help of {@code
 * cairn-lab} lists none. Benchmarks lean on studies, and no study on a benchmark.
 */
@NullMarked
package io.cairn.lab.study;

import org.jspecify.annotations.NullMarked;
