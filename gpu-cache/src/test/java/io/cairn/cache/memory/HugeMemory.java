package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Native memory of many gigabytes, of which nearly all windows are the same zeros. The few windows
 * around some offsets have bytes of their own.
 */
public final class HugeMemory {
  private static final int WINDOW_BYTES = 2_500_000;

  private final long bytes;
  private final ByteBuffer zeros = ByteBuffer.allocateDirect(WINDOW_BYTES);
  private final Map<Integer, ByteBuffer> own = new TreeMap<>();

  /** Zeros, of which the windows around these offsets may get other bytes. */
  public HugeMemory(long bytes, Set<Long> offsets) {
    this.bytes = bytes;
    for (long offset : offsets) {
      own.putIfAbsent(window(offset), ByteBuffer.allocateDirect(WINDOW_BYTES));
    }
  }

  private static int window(long offset) {
    return Math.toIntExact(offset / WINDOW_BYTES);
  }

  /** As a device locates it. */
  public CaptureSource source() {
    List<ByteBuffer> windows = new ArrayList<>(Collections.nCopies(window(bytes - 1) + 1, zeros));
    own.forEach(windows::set);
    return new BufferMemory(windows, WINDOW_BYTES, bytes, this);
  }

  /** Sets these bytes, and every other one to zero. */
  public void set(Map<Long, Byte> marks) {
    own.values().forEach(window -> window.put(0, new byte[WINDOW_BYTES]));
    marks.forEach((offset, mark) -> ownWindow(offset).put((int) (offset % WINDOW_BYTES), mark));
  }

  private ByteBuffer ownWindow(long offset) {
    ByteBuffer window = own.get(window(offset));
    if (window == null) {
      throw new IllegalArgumentException("offset " + offset + " has no window of its own");
    }
    return window;
  }

  /** Requires these bytes, and zeros everywhere else. */
  public void requireOnly(Map<Long, Byte> marks) {
    Map<Long, Byte> found = new TreeMap<>();
    own.forEach(
        (number, window) -> {
          for (int i = 0; i < WINDOW_BYTES; i++) {
            if (window.get(i) != 0) {
              found.put((long) number * WINDOW_BYTES + i, window.get(i));
            }
          }
        });
    assertThat(found).isEqualTo(marks);
    assertThat(zeros.mismatch(ByteBuffer.allocate(WINDOW_BYTES)))
        .as("zeros elsewhere")
        .isEqualTo(-1);
  }
}
