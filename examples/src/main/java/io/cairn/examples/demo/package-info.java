/**
 * The demonstration: cross-validation on Spark that is killed and continues, bit for bit, over an
 * embedded HDFS, and what it shows of that: the console while it runs, the picture of its lineage
 * afterwards. The training lives in {@code io.cairn.examples.digits}.
 */
@NullMarked
package io.cairn.examples.demo;

import org.jspecify.annotations.NullMarked;
