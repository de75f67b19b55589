package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceBytes;
import io.cairn.cache.memory.DeviceResident;
import java.io.IOException;

/** Bytes in memory of a GPU, which verifies and restores them by itself. */
record CudaBytes(CudaDevice device, DeviceAddress address) implements DeviceBytes {
  @Override
  public int checksum() throws IOException {
    return device.checksum(address);
  }

  @Override
  public void copyTo(DeviceResident target, long offset) throws IOException {
    device.restore(address, target, offset);
  }

  @Override
  public void close() {}
}
