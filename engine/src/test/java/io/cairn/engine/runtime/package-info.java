/** Tests of one process's checkpointing, on real directories. */
@NullMarked
package io.cairn.engine.runtime;

import org.jspecify.annotations.NullMarked;
