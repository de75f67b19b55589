package io.cairn.cache.capture;

import io.cairn.cache.memory.CaptureSource;
import io.cairn.core.layout.Overlap;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ChunkReader.Reading;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The bytes that one rank takes from one saved rank's checkpoint. Reads only the chunks with such
 * bytes, each once. Not thread-safe.
 */
final class PartRestore {
  private final List<RegionImage> images;
  private final ChunkNumbers numbers;
  private final Map<String, List<Overlap>> overlaps;
  private final int[] chunks;

  /**
   * Nothing is read yet.
   *
   * @param images of the saved rank
   * @param overlaps with the regions of the reading rank, by region; each is one of the images
   */
  PartRestore(List<RegionImage> images, Map<String, List<Overlap>> overlaps) {
    this.images = List.copyOf(images);
    this.overlaps = Map.copyOf(overlaps);
    this.numbers = new ChunkNumbers(images);
    this.chunks = chunks();
  }

  private int[] chunks() {
    int[] all = new int[numbers.all()];
    int count = 0;
    for (int region = 0; region < images.size(); region++) {
      RegionImage image = images.get(region);
      for (int chunk = 0; chunk < image.chunks(); chunk++) {
        long first = first(image, chunk);
        long end = first + image.chunkLength(chunk);
        if (of(image).stream().anyMatch(each -> each.touches(first, end))) {
          all[count++] = numbers.of(region, chunk);
        }
      }
    }
    return Arrays.copyOf(all, count);
  }

  private List<Overlap> of(RegionImage image) {
    return overlaps.getOrDefault(image.name(), List.of());
  }

  private static long first(RegionImage image, int chunk) {
    return (long) chunk * image.chunkBytes();
  }

  /** Reads every chunk that is needed, and writes none. */
  void verify(ChunkReader reader, ByteBuffer staging) throws IOException {
    new ReadAhead(staging.duplicate())
        .forEach(chunks.length, new Needed(reader), (number, reading, bytes) -> reading.await());
  }

  /**
   * Reads every chunk that is needed, and copies its bytes.
   *
   * @param targets by region
   */
  void copy(
      ChunkReader reader,
      ByteBuffer staging,
      Map<String, CaptureSource> targets,
      RegionWriter writer)
      throws IOException {
    new ReadAhead(staging.duplicate())
        .forEach(
            chunks.length,
            new Needed(reader),
            (number, reading, bytes) -> {
              reading.await();
              RegionImage image = images.get(numbers.region(chunks[number]));
              CaptureSource target = Objects.requireNonNull(targets.get(image.name()));
              copy(image, numbers.chunk(chunks[number]), bytes.flip(), target, writer);
            });
  }

  private void copy(
      RegionImage image, int chunk, ByteBuffer staged, CaptureSource target, RegionWriter writer)
      throws IOException {
    long first = first(image, chunk);
    for (Overlap overlap : of(image)) {
      overlap.forEach(
          first,
          first + image.chunkLength(chunk),
          (from, into, bytes) ->
              writer.write(staged, (int) (from - first), (int) bytes, target, into));
    }
  }

  /** The bytes that are copied. */
  long bytes() {
    return overlaps.values().stream().flatMap(List::stream).mapToLong(Overlap::bytes).sum();
  }

  /** Starts to read the n-th chunk that is needed. */
  private final class Needed implements ReadAhead.Start {
    private final ChunkReader reader;

    Needed(ChunkReader reader) {
      if (!reader.verifies()) {
        throw new IllegalArgumentException("a reader of parts has to verify whole chunks");
      }
      this.reader = reader;
    }

    @Override
    public Reading start(int number, ByteBuffer into) throws IOException {
      return reader.start(region(number), chunk(number), into);
    }

    @Override
    public Optional<MappedBytes> staging(int bytes) {
      return reader.staging(bytes);
    }

    @Override
    public Optional<MappedBytes> inPlace(int number) throws IOException {
      return reader.inPlace(region(number), chunk(number));
    }

    private int region(int number) {
      return numbers.region(chunks[number]);
    }

    private int chunk(int number) {
      return numbers.chunk(chunks[number]);
    }
  }
}
