/**
 * Memory that checkpoints are copied into: the device memory SPI, the application's memory as the
 * source of a copy, and the counting of copied bytes. What lies in the memory, and for how long, is
 * decided in {@code io.cairn.cache.chunk}; which regions are copied, in {@code
 * io.cairn.cache.capture}.
 *
 * <p>Ownership rules:
 *
 * <ul>
 *   <li><b>Who closes.</b> Whoever opened a {@link io.cairn.cache.memory.DeviceMemory} closes it,
 *       after everything that was built on it (caches first). Whoever opened an exported handle
 *       closes the {@link io.cairn.cache.memory.DeviceMemory.Opened}. Closing never waits for
 *       copies: whoever started them awaits their events first.
 *   <li><b>When an event must be awaited.</b> From the call that starts a copy until its event is
 *       done, the source must not be written and the target must neither be read, nor reused, nor
 *       freed. There is no order among copies: a copy that reads what another writes is started
 *       after the other's event is done. An event that is done has landed, with all of its bytes
 *       visible to the thread that observed it.
 *   <li><b>What may be freed.</b> An allocation with no copy in flight and no opened handle in use,
 *       once, as a whole; never a slice, never an opened address.
 *   <li><b>Who keeps the application's memory reachable.</b> A {@link
 *       io.cairn.cache.memory.HostMemory} holds its owner; it is itself held by the regions that
 *       are protected.
 * </ul>
 */
@NullMarked
package io.cairn.cache.memory;

import org.jspecify.annotations.NullMarked;
