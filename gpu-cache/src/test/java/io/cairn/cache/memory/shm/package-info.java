/** Tests of shared memory, with processes that share it and die. */
@NullMarked
package io.cairn.cache.memory.shm;

import org.jspecify.annotations.NullMarked;
