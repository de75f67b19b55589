package io.cairn.lab.bench.collaborative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a worker says that it verified, it has looked at. */
@Timeout(60)
class WorkerTest {
  private static final int CHUNK_BYTES = 4096;
  private static final int CACHE_CHUNKS = 3;
  private static final int CHUNKS = 5;

  @TempDir Path scratch;

  private static CompletableFuture<Worker.Shared> share(Worker worker, int chunks) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            worker.prepare(1, (long) chunks * CHUNK_BYTES);
            return worker.share(System.nanoTime());
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** Changes one byte of each slot of all devices, whether it is used or not. */
  private static void flip(Path memory) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(memory)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
        for (long at = 100; at < bytes.length(); at += CHUNK_BYTES) {
          bytes.seek(at);
          int before = bytes.read();
          bytes.seek(at);
          bytes.write(before ^ 1);
        }
      }
    }
  }

  @Test
  void oneWrongByteAtAPeerIsFound() throws Exception {
    PlayedMachine machine = new PlayedMachine(2, CHUNK_BYTES, 1);
    try (SwitchedDesk desk = new SwitchedDesk(machine)) {
      WorkerSetting setting =
          new WorkerSetting(
              machine,
              CACHE_CHUNKS,
              CHUNKS,
              CHUNKS * CHUNK_BYTES,
              null,
              scratch.resolve("worker"),
              desk.port());
      setting.create();
      try (Worker sender = new Worker(0, setting)) {
        desk.awaitDevices(1);
        try (Worker lender = new Worker(1, setting)) {
          desk.awaitDevices(2);
          CompletableFuture<Worker.Shared> lent = share(lender, 0);
          assertThat(share(sender, CHUNKS).join().borrowed()).isPositive();
          lent.join();
          assertThat(sender.verify()).isEqualTo((CHUNKS - CACHE_CHUNKS) * CHUNK_BYTES);
          flip(setting.memory());
          assertThatIOException()
              .isThrownBy(sender::verify)
              .withMessageContaining("differs at byte 100");
          flip(setting.memory());
          assertThat(sender.verify()).isPositive();
          sender.drop();
        }
      }
    }
  }
}
