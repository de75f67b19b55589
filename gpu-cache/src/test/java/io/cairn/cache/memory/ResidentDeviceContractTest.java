package io.cairn.cache.memory;

/** A device that reaches its own kind of application memory, and no other device's. */
class ResidentDeviceContractTest extends DeviceMemoryContract {
  @Override
  protected DeviceMemory open() {
    return new DelayedDevice(CAPACITY_BYTES, 7, new DeviceHeap(4096));
  }
}
