package io.cairn.cache.memory;

class CountedMemoryContractTest extends DeviceMemoryContract {
  private final CopyCounter counter = new CopyCounter();

  @Override
  protected DeviceMemory open() {
    return counter.count(new DelayedDevice(CAPACITY_BYTES, 1));
  }
}
