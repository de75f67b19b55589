/**
 * The demonstration: cross-validation on Spark that is killed and goes on, bit for bit, over an
 * embedded HDFS, and what it shows of that: the console while it runs, the picture of its lineage
 * afterwards.
 */
@NullMarked
package io.cairn.examples.demo;

import org.jspecify.annotations.NullMarked;
