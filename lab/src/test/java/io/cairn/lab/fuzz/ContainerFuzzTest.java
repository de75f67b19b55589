package io.cairn.lab.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.redundancy.ParityInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** Containers whose index or header is any bytes, and whose checksums all match. */
class ContainerFuzzTest {
  private static final int HEADER_BYTES = 512;
  private static final int CHUNKS_BYTES = 1024;
  private static final int TRAILER_BYTES = 64;
  private static final int AT_FIRST_RANK = 16;

  /** A caller that is short of memory reads no longer ones. */
  private static final int LONGEST_CHUNK = 1 << 20;

  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "group"), 3, 42);

  @FuzzTest
  void index(byte[] index) {
    readAll(container(header(1), index), index);
  }

  @FuzzTest
  void encodedIndex(byte[] index) {
    readAll(container(header(2), index), index);
  }

  @FuzzTest
  void parity(byte[] body) {
    byte[] file =
        ByteBuffer.allocate(12 + body.length)
            .putLong(0x434149524e504152L)
            .putInt(body.length)
            .put(body)
            .array();
    ContainerSummary expected =
        new ContainerSummary("parity.chunks", file.length, Digest.of(file), List.of(0, 1));
    AnyBytes.read(
        file.length, IOException.class, () -> ParityInput.open(new OneFile(file), ID, expected));
  }

  @FuzzTest
  void header(byte[] header) {
    readAll(container(Arrays.copyOf(header, HEADER_BYTES), emptyIndex()), emptyIndex());
  }

  private static void readAll(byte[] container, byte[] index) {
    ContainerSummary expected =
        new ContainerSummary(
            "writer.chunks", container.length, Digest.of(index), List.of(firstRank(index)));
    AnyBytes.read(
        container.length,
        IOException.class,
        () -> {
          try (ContainerReader reader =
              ContainerReader.open(new OneFile(container), ID, expected)) {
            for (int rank : expected.ranks()) {
              int longest = longestChunk(reader.images(rank));
              if (longest <= LONGEST_CHUNK) {
                reader.verify(rank, ByteBuffer.allocate(longest));
              }
            }
          }
        });
  }

  private static int longestChunk(List<RegionImage> images) {
    return images.stream()
        .mapToInt(image -> (int) Math.min(image.bytes(), image.chunkBytes()))
        .max()
        .orElse(0);
  }

  private static int firstRank(byte[] index) {
    return index.length < AT_FIRST_RANK + Integer.BYTES
        ? 0
        : ByteBuffer.wrap(index).getInt(AT_FIRST_RANK);
  }

  private static byte[] emptyIndex() {
    return ByteBuffer.allocate(24).putLong(0x434149524e494458L).putInt(1).array();
  }

  private static byte[] header(int version) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    header.putLong(0x434149524e43484bL).putInt(version).putInt(HEADER_BYTES).putLong(3).putLong(42);
    header.putInt(48, 1).putInt(56, 3).putInt(60, 5);
    header.put(64, "job".getBytes(StandardCharsets.US_ASCII));
    return header.put(192, "group".getBytes(StandardCharsets.US_ASCII)).array();
  }

  private static byte[] container(byte[] header, byte[] index) {
    ByteBuffer out =
        ByteBuffer.allocate(HEADER_BYTES + CHUNKS_BYTES + index.length + TRAILER_BYTES);
    out.put(header).position(HEADER_BYTES + CHUNKS_BYTES);
    out.put(index);
    int trailer = out.position();
    out.putLong(0x434149524e454e44L).putLong(HEADER_BYTES + CHUNKS_BYTES).putInt(index.length);
    out.put(trailer + 24, Digest.of(index).toBytes());
    byte[] container = out.array();
    putChecksum(container, 0, HEADER_BYTES);
    putChecksum(container, trailer, TRAILER_BYTES);
    return container;
  }

  private static void putChecksum(byte[] container, int from, int bytes) {
    int covered = bytes - Integer.BYTES;
    CRC32C checksum = new CRC32C();
    checksum.update(container, from, covered);
    ByteBuffer.wrap(container).putInt(from + covered, (int) checksum.getValue());
  }
}
