package io.cairn.lab.bench.adjoint;

import io.cairn.lab.measure.Middle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Times of the four moves of a state, each alone, in milliseconds. They are medians over memory
 * that no processor's cache holds any more, and over files whose pages exist.
 *
 * @param downMillis from mapped memory to a file in shared memory
 * @param upMillis from there to mapped memory
 * @param storeMillis from the program to mapped memory, with a checksum
 * @param restoreMillis from there to the program, with a checksum
 */
record MoveTimes(double downMillis, double upMillis, double storeMillis, double restoreMillis) {
  private static final int BLOCK_BYTES = 64 << 10;

  /** A move of a state. */
  private interface Moving {
    void move(int state) throws IOException;
  }

  static MoveTimes measure(Touched memory, int states, int stateBytes, Path file)
      throws IOException {
    Files.createDirectories(file.getParent());
    byte[] program = new byte[stateBytes];
    CRC32C crc = new CRC32C();
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      Moving down =
          state -> channel.write(view(memory, state, stateBytes), (long) state * stateBytes);
      Moving up = state -> channel.read(view(memory, state, stateBytes), (long) state * stateBytes);
      Moving store =
          state -> {
            for (int at = 0; at < stateBytes; at += BLOCK_BYTES) {
              memory.window(state).put(memory.at(state) + at, program, at, BLOCK_BYTES);
              crc.update(block(memory, state, at));
            }
          };
      Moving restore =
          state -> {
            for (int at = 0; at < stateBytes; at += BLOCK_BYTES) {
              crc.update(block(memory, state, at));
              memory.window(state).get(memory.at(state) + at, program, at, BLOCK_BYTES);
            }
          };
      median(down, states);
      return new MoveTimes(
          median(down, states), median(up, states), median(store, states), median(restore, states));
    } finally {
      Files.delete(file);
    }
  }

  private static ByteBuffer view(Touched memory, int state, int bytes) {
    return memory
        .window(state)
        .duplicate()
        .limit(memory.at(state) + bytes)
        .position(memory.at(state));
  }

  private static ByteBuffer block(Touched memory, int state, int at) {
    int start = memory.at(state) + at;
    return memory.window(state).duplicate().limit(start + BLOCK_BYTES).position(start);
  }

  private static double median(Moving moving, int states) throws IOException {
    List<Double> millis = new ArrayList<>();
    for (int state = 0; state < states; state++) {
      long start = System.nanoTime();
      moving.move(state);
      millis.add((System.nanoTime() - start) / 1e6);
    }
    return Middle.of(millis);
  }
}
