/**
 * {@code cairn-lab soak}: a Spark application whose executors share device memory. They are killed,
 * stopped and decommissioned at seeded moments. {@code SoakJudge} checks from which checkpoint each
 * rank resumed.
 */
@NullMarked
package io.cairn.lab.soak;

import org.jspecify.annotations.NullMarked;
