/**
 * ND4J's backend for CUDA without a GPU: its own Java classes, over natives whose device memory
 * lies in the CUDA driver without a GPU.
 */
@NullMarked
package io.cairn.dl4j.cuda;

import org.jspecify.annotations.NullMarked;
