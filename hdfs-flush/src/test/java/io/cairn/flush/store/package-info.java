/**
 * Contract suite and embedded HDFS for everything that keeps checkpoints. They ship in the
 * test-jar.
 */
@NullMarked
package io.cairn.flush.store;

import org.jspecify.annotations.NullMarked;
