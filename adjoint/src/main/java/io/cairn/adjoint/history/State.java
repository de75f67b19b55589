package io.cairn.adjoint.history;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One stored state: its sizes, where its chunks lie, and their checksums. Each region begins with a
 * chunk of its own. The {@link Ledger}'s monitor guards its flags. The arrays belong to the thread
 * that moves the bytes, or to the monitor while none does. It is used again for another state, so
 * that storing allocates nothing.
 */
final class State {
  private static final int[] NOWHERE = {};
  private static final UUID NO_RUN = new UUID(0, 0);

  long step;

  /** The run of a program that stored it. */
  UUID run = NO_RUN;

  /** Of each region. */
  long[] bytes = new long[1];

  int regions;
  int chunks;
  int[] device = new int[1];

  /** Its chunks in its room, if it lies there or is on its way. */
  int[] below = new int[1];

  int[] checksums = new int[1];

  boolean onDevice;

  /** Where it lies below the device, or goes. */
  @Nullable Room room;

  /** Whether an earlier process stored it. */
  boolean isFound;

  /** Whether it lies in its room. */
  boolean isBelow;

  /** Where it lay below the device when it began to move to its room; null if nowhere. */
  @Nullable Room source;

  /** Its chunks there. */
  int[] sourceChunks = new int[0];

  /** Whether a thread moves it. */
  boolean moving;

  /** Whether the program reads it. */
  boolean pinned;

  /** Whether it is freed as soon as nobody moves it. */
  boolean dropped;

  /** Whether it could not be brought up. */
  boolean unreadable;

  /** The place of its next read in the order of reads. */
  long key;

  /** Its place in a {@link StateHeap}, or -1. */
  int place = -1;

  /** Becomes a new state of these sizes. */
  void begin(long newStep, long[] sizes, int count, int chunkBytes) {
    step = newStep;
    regions = count;
    if (bytes.length < count) {
      bytes = new long[count];
    }
    System.arraycopy(sizes, 0, bytes, 0, count);
    chunks = chunks(sizes, count, chunkBytes);
    if (device.length < chunks) {
      device = new int[chunks];
      below = new int[chunks];
      checksums = new int[chunks];
    }
    onDevice = false;
    room = null;
    source = null;
    isFound = false;
    isBelow = false;
    moving = false;
    pinned = false;
    dropped = false;
    unreadable = false;
  }

  /** Where it lies below the device, or lay when it began to move to another shelf; else null. */
  @Nullable Shelf shelf() {
    if (room == null) {
      return null;
    }
    return isBelow ? room.shelf : source == null ? null : source.shelf;
  }

  /** Goes to another room, whose chunks its own will be. */
  void leaveFor(Room next) {
    source = isBelow ? room : null;
    if (source != null) {
      int[] old = sourceChunks.length < below.length ? new int[below.length] : sourceChunks;
      sourceChunks = below;
      below = old;
    }
    room = next;
    isBelow = false;
  }

  /** Came to its room, and lies there alone below the device. */
  void arrive() {
    if (source != null) {
      source.give(sourceChunks, chunks);
      source = null;
    }
    isBelow = true;
  }

  /** Did not come to its room: it lies where it did. */
  void stay() {
    if (source != null) {
      int[] old = below;
      below = sourceChunks;
      sourceChunks = old;
    }
    room = source;
    isBelow = source != null;
    source = null;
  }

  /** Whether a chunk of it in a room is gone, where it lies, comes from or goes to. */
  boolean hasGone(Room place, IntPredicate gone) {
    int[] there = room == place ? below : source == place ? sourceChunks : NOWHERE;
    return Arrays.stream(there, 0, Math.min(chunks, there.length)).anyMatch(gone);
  }

  /** Whether it outlives the process. */
  boolean isDurable() {
    return isBelow && requireRoom().isDurable();
  }

  /** The room of a state that lies in one, or is on its way. */
  Room requireRoom() {
    return Objects.requireNonNull(room);
  }

  static int chunks(long[] sizes, int count, int chunkBytes) {
    long all = 0;
    for (int i = 0; i < count; i++) {
      all += (sizes[i] + chunkBytes - 1) / chunkBytes;
    }
    return Math.toIntExact(all);
  }

  /**
   * Compares a checksum.
   *
   * @param where the bytes were found, for the message
   * @throws IOException naming the chunk, if another one was stored
   */
  void requireChecksum(int chunk, int found, String where) throws IOException {
    if (found != checksums[chunk]) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "chunk %d of step %d %s has checksum %08x; %08x was stored",
              chunk,
              step,
              where,
              found,
              checksums[chunk]));
    }
  }

  /**
   * The end of the run that begins with a chunk: chunks that follow each other both on the device
   * and on a shelf are one copy.
   *
   * @param limit the end at most
   */
  int runEnd(int from, int limit, Shelf shelf, int chunksPerSlab) {
    int end = from + 1;
    while (end < limit
        && device[end] == device[end - 1] + 1
        && device[end] % chunksPerSlab != 0
        && shelf.follows(below[end - 1], below[end])) {
      end++;
    }
    return end;
  }

  @Override
  public String toString() {
    return "step " + step;
  }

  /** Bytes of all regions. */
  long totalBytes() {
    long all = 0;
    for (int i = 0; i < regions; i++) {
      all += bytes[i];
    }
    return all;
  }
}
