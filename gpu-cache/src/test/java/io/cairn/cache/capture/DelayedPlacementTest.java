package io.cairn.cache.capture;

import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;

class DelayedPlacementTest extends PlacementContract {
  DelayedPlacementTest() {
    super(150);
  }

  @Override
  protected DeviceMemory openDevice(int node, int bytes, long seed) {
    return new DelayedDevice(bytes, seed * 10 + node);
  }

  @Override
  protected DeviceMemory openHost(int node, int bytes, long seed) {
    return new DelayedDevice(bytes, seed * 10 + 5 + node);
  }
}
