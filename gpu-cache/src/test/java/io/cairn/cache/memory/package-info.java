/**
 * Contract suite of device memory, and the delayed device, which ship in the test-jar; tests of
 * {@code io.cairn.cache.memory}.
 */
@NullMarked
package io.cairn.cache.memory;

import org.jspecify.annotations.NullMarked;
