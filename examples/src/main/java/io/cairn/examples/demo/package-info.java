/**
 * The demonstration: cross-validation on Spark that is killed and goes on, bit for bit, over an
 * embedded HDFS, and what it shows of that: the console while it runs, the picture of its lineage
 * afterwards. What is trained lives in {@code io.cairn.examples.digits}.
 */
@NullMarked
package io.cairn.examples.demo;

import org.jspecify.annotations.NullMarked;
