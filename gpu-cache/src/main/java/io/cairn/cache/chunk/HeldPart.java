package io.cairn.cache.chunk;

import io.cairn.cache.memory.DeviceBytes;
import io.cairn.cache.memory.DeviceResident;
import java.io.IOException;

/** Bytes on a device that end the use of their part when they are closed. */
final class HeldPart implements DeviceBytes {
  private final CachedCheckpoint checkpoint;
  private final Part part;
  private final DeviceBytes bytes;
  private boolean open = true;

  /**
   * Bytes of a part that is in use.
   *
   * @param part as {@link CachedCheckpoint#beginRead} gave it
   */
  HeldPart(CachedCheckpoint checkpoint, Part part, DeviceBytes bytes) {
    this.checkpoint = checkpoint;
    this.part = part;
    this.bytes = bytes;
  }

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
    if (open) {
      open = false;
      bytes.close();
      checkpoint.endRead(part);
    }
  }
}
