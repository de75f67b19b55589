package io.cairn.lab.bench.adjoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Memory for many states, mapped from a file in shared memory, every page of it touched. */
final class Touched {
  private static final int PAGE_BYTES = 4096;
  private static final int MOST_WINDOW_BYTES = 1 << 30;

  private final List<ByteBuffer> windows = new ArrayList<>();
  private final int stateBytes;
  private final int perWindow;

  Touched(Path file, int states, int stateBytes) throws IOException {
    this.stateBytes = stateBytes;
    perWindow = MOST_WINDOW_BYTES / stateBytes;
    Files.createDirectories(file.getParent());
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      for (int from = 0; from < states; from += perWindow) {
        long bytes = (long) Math.min(perWindow, states - from) * stateBytes;
        ByteBuffer window = channel.map(MapMode.READ_WRITE, (long) from * stateBytes, bytes);
        for (int page = 0; page < bytes; page += PAGE_BYTES) {
          window.put(page, (byte) 1);
        }
        windows.add(window);
      }
    }
  }

  /** The window of a state. */
  ByteBuffer window(int state) {
    return windows.get(state / perWindow);
  }

  /** Where a state begins in its window. */
  int at(int state) {
    return state % perWindow * stateBytes;
  }

  void store(int state, byte[] from) {
    window(state).put(at(state), from);
  }

  void restore(int state, byte[] into) {
    window(state).get(at(state), into);
  }
}
