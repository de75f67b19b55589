package io.cairn.cache.memory;

/** A device that has read host memory before its copies land. */
class StagingDeviceContractTest extends DeviceMemoryContract {
  @Override
  protected DeviceMemory open() {
    return DelayedDevice.withStage(CAPACITY_BYTES, 7);
  }
}
