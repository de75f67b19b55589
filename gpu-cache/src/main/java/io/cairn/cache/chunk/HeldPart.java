package io.cairn.cache.chunk;

import io.cairn.cache.memory.DeviceBytes;
import io.cairn.cache.memory.DeviceResident;
import java.io.IOException;

/** Bytes on a device that end the use of their part when they are closed. */
record HeldPart(DeviceBytes bytes, PartUse use) implements DeviceBytes {
  @Override
  public int checksum() throws IOException {
    return bytes.checksum();
  }

  @Override
  public void copyTo(DeviceResident target, long offset) throws IOException {
    bytes.copyTo(target, offset);
  }

  @Override
  public void close() {
    bytes.close();
    use.close();
  }
}
