/** DL4J's parameter averaging on Spark, whose driver and workers are killed. */
@NullMarked
package io.cairn.examples.averaging;

import org.jspecify.annotations.NullMarked;
