/**
 * {@code cairn soak}: a Spark application whose executors share device memory, and are killed,
 * stopped and decommissioned at seeded moments, and the judgement of where each rank went on from.
 */
@NullMarked
package io.cairn.lab.soak;

import org.jspecify.annotations.NullMarked;
