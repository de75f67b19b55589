package io.cairn.testkit;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/** A file in memory that knows how much of it a crash cannot take. */
final class CrashingFile {
  private byte[] bytes = new byte[64];
  private int length;
  private int syncedLength;
  private boolean synced;

  int length() {
    return length;
  }

  void append(ByteBuffer from) {
    int added = from.remaining();
    if (bytes.length - length < added) {
      bytes = Arrays.copyOf(bytes, Math.max(length + added, 2 * bytes.length));
    }
    from.get(bytes, length, added);
    length += added;
  }

  void read(int position, ByteBuffer into) {
    into.put(bytes, position, into.remaining());
  }

  void sync() {
    synced = true;
    syncedLength = length;
  }

  void truncate(int newLength) {
    length = newLength;
    syncedLength = Math.min(syncedLength, newLength);
  }

  void flip(int offset, int bit) {
    bytes[offset] ^= (byte) (1 << bit);
  }

  /** Applies the death of the writer, which may lose unsynced bytes. */
  void loseBuffered(SplittableRandom random) {
    truncate(random.nextInt(syncedLength, length + 1));
  }

  /** Applies a loss of power; false if even the name is lost. */
  boolean crash(SplittableRandom random) {
    if (!synced && random.nextInt(3) == 0) {
      return false;
    }
    if (length > syncedLength) {
      int kept = random.nextInt(syncedLength, length + 1);
      switch (random.nextInt(3)) {
        case 0 -> truncate(kept);
        case 1 -> Arrays.fill(bytes, kept, length, (byte) 0);
        default -> garbage(random, kept);
      }
    }
    sync();
    return true;
  }

  private void garbage(SplittableRandom random, int from) {
    byte[] garbage = new byte[length - from];
    random.nextBytes(garbage);
    System.arraycopy(garbage, 0, bytes, from, garbage.length);
  }
}
