/**
 * Memory that checkpoints are copied into: the device memory SPI, the application's memory as the
 * source of a capture, and the counting of copied bytes. The slots in that memory and their
 * lifetimes belong to {@code io.cairn.cache.chunk}; the protected regions belong to {@code
 * io.cairn.cache.capture}; each kind of device has a package below this one.
 *
 * <p>Ownership rules:
 *
 * <ul>
 *   <li><b>Closing.</b> The opener of a {@link io.cairn.cache.memory.DeviceMemory} closes it, after
 *       everything that was built on it (caches first). The opener of an exported handle closes the
 *       {@link io.cairn.cache.memory.DeviceMemory.Opened}. Closing never waits for copies: the
 *       thread that started them awaits their events first.
 *   <li><b>Awaiting an event.</b> A copy is in flight from the call that starts it until its event
 *       is done. Meanwhile its source must not be written, but when its event says that the source
 *       is free, nor freed; its target must not be read, reused or freed. There is no order among
 *       copies: a copy that reads the target of another is started after the other's event is done.
 *       All bytes of a copy whose event is done are visible to the thread that observed the event.
 *   <li><b>Freeing.</b> An allocation is freed once, as a whole, when no copy is in flight and no
 *       opened handle is in use. Slices and opened addresses are never freed.
 *   <li><b>Reachability.</b> A {@link io.cairn.cache.memory.CaptureSource} keeps the owner of the
 *       application's memory reachable; the protected regions keep the source.
 *   <li><b>Copies that begin later.</b> The copies of a {@link io.cairn.cache.memory.DeferredCopy}
 *       are in flight from its making on, although no thread may have begun one.
 *   <li><b>Memory of the application on a device.</b> No host thread reads or writes a {@link
 *       io.cairn.cache.memory.DeviceResident}. A device that reaches it copies it after the work
 *       that its region names; every other device refuses it.
 * </ul>
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.cache.memory;

import org.jspecify.annotations.NullMarked;
