/** Tests of the DL4J side, on networks of a few hundred parameters and checkpoints in memory. */
@NullMarked
package io.cairn.dl4j;

import org.jspecify.annotations.NullMarked;
