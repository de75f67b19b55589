package io.cairn.cache.chunk;

import io.cairn.cache.memory.CopyEngine;
import io.cairn.cache.memory.DeviceAddress;

/**
 * Where one chunk lies.
 *
 * @param engine copies from and to it: the own device, host memory, or the way to a peer's
 * @param address of {@code engine}; as long as a chunk
 */
public record Place(CopyEngine engine, DeviceAddress address) {}
