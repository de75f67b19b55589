package io.cairn.cache.memory;

class DelayedDeviceContractTest extends DeviceMemoryContract {
  @Override
  protected DeviceMemory open() {
    return new DelayedDevice(CAPACITY_BYTES, 42);
  }
}
