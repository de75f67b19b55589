/** Tests of the DL4J side on ND4J's backend for CUDA, without a GPU. */
@NullMarked
package io.cairn.dl4j;

import org.jspecify.annotations.NullMarked;
