package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Holder;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.codec.Encoding;
import io.cairn.flush.format.ContainerScan.Break;
import io.cairn.flush.format.ContainerScan.Head;
import io.cairn.flush.format.ContainerScan.IndexPlace;
import io.cairn.flush.format.ContainerScan.RegionScan;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * Reads the file of a container as far as it goes, whole or damaged. Unlike {@link ContainerReader}
 * it continues after damage. A lost trailer does not lose the index, which is then found by its
 * content. Not thread-safe.
 */
public final class ContainerScanner {
  private static final GroupId NO_GROUP = new GroupId("none", "none");

  private final StoreInput input;
  private final String file;
  private final Optional<Named> named;
  private final Optional<ContainerSummary> expected;
  private final LongConsumer progress;
  private final ChunkChecksum checksum = new ChunkChecksum();
  private final List<Break> breaks = new ArrayList<>();
  private ByteBuffer staging = ByteBuffer.allocate(0);

  private ContainerScanner(
      StoreInput input, String file, Optional<Named> named, LongConsumer progress) {
    this.input = input;
    this.file = file;
    this.named = named;
    this.expected = named.map(Named::entry);
    this.progress = progress;
  }

  /**
   * A container that a manifest names.
   *
   * @param id of the manifest's checkpoint
   */
  public record Named(CheckpointId id, ContainerSummary entry) {}

  /**
   * Reads a file: header, trailer, index, and the stored bytes of each chunk, those in holders
   * included if a manifest names it. Takes memory for one chunk and the index.
   *
   * @param path below the store's root
   * @param named the manifest's entry; without one nothing proves that the file is the right one
   * @param progress receives the stored bytes of chunks as they are read
   * @throws java.nio.file.NoSuchFileException if it does not exist
   * @throws IOException if it cannot be opened
   */
  public static ContainerScan scan(
      ReadableStore store, String path, Optional<Named> named, LongConsumer progress)
      throws IOException {
    String file = store.describe() + "/" + path;
    try (StoreInput input = store.open(path)) {
      return new ContainerScanner(input, file, named, progress).scan(store);
    }
  }

  /** A read that may find damage. */
  private interface Step<T> {
    T take() throws IOException;
  }

  /** The result of a step; empty if it finds damage, which is noted. */
  private <T> Optional<T> attempt(long at, Step<T> step) {
    try {
      return Optional.of(step.take());
    } catch (FormatException e) {
      breaks.add(new Break(e.file(), e.offset(), e.reason()));
    } catch (IOException e) {
      breaks.add(new Break(file, at, String.valueOf(e.getMessage())));
    }
    return Optional.empty();
  }

  private ContainerScan scan(ReadableStore store) throws IOException {
    expected.ifPresent(entry -> attempt(0, () -> requireLength(entry)));
    Optional<ContainerHeader> header = attempt(0, this::header);
    // an index shows its version itself, if the header is damaged
    List<ContainerVersion> versions =
        header.map(head -> List.of(head.version())).orElse(List.of(ContainerVersion.values()));
    Optional<LostIndex.Found> listed = listed(versions);
    Optional<LostIndex.Found> found = listed.isPresent() ? listed : searched(versions);
    return new ContainerScan(
        file,
        input.length(),
        header.map(ContainerScanner::head),
        found.map(index -> place(index, listed.isEmpty())),
        found.isPresent() ? regions(store, found.get().index()) : List.of(),
        breaks);
  }

  private static Head head(ContainerHeader header) {
    return new Head(
        header.id(), header.groupSize(), header.bootId().toString(), header.version().number());
  }

  private static IndexPlace place(LostIndex.Found found, boolean searched) {
    return new IndexPlace(
        found.at(), found.bytes(), found.digest().hex(), searched, found.index().holders());
  }

  private ContainerSummary requireLength(ContainerSummary entry) throws IOException {
    ContainerReader.requireLength(input, file, entry.bytes());
    return entry;
  }

  private ContainerHeader header() throws IOException {
    if (input.length() < ContainerHeader.BYTES) {
      throw new FormatException(file, input.length(), "ends within its header");
    }
    ContainerHeader header = ContainerHeader.decode(read(0, ContainerHeader.BYTES), file);
    Optional<CheckpointId> id = named.map(Named::id).filter(each -> !each.equals(header.id()));
    if (id.isPresent()) {
      throw new FormatException(file, 0, "holds " + header.id() + ", not " + id.get());
    }
    return header;
  }

  /** The index that the trailer shows. */
  private Optional<LostIndex.Found> listed(List<ContainerVersion> versions) throws IOException {
    long end = Math.max(0, input.length() - ContainerTrailer.BYTES);
    Optional<ContainerTrailer> trailer = attempt(end, this::trailer);
    return trailer.flatMap(of -> attempt(of.indexOffset(), () -> index(of, versions)));
  }

  private ContainerTrailer trailer() throws IOException {
    if (input.length() < ContainerHeader.BYTES + ContainerTrailer.BYTES) {
      throw new FormatException(file, input.length(), "ends before its trailer");
    }
    ContainerTrailer trailer = ContainerReader.readTrailer(input, file);
    if (expected.isPresent()) {
      ContainerReader.requireDigest(trailer, file, expected.get().indexDigest());
    }
    return trailer;
  }

  private LostIndex.Found index(ContainerTrailer trailer, List<ContainerVersion> versions)
      throws IOException {
    ContainerVersion last = versions.get(versions.size() - 1);
    for (ContainerVersion version : versions) {
      try {
        ContainerIndex index = ContainerReader.readIndex(input, file, version, trailer);
        return new LostIndex.Found(
            index, trailer.indexOffset(), trailer.indexBytes(), trailer.indexDigest());
      } catch (FormatException e) {
        if (version == last) {
          throw e;
        }
      }
    }
    throw new IllegalArgumentException("no version to read " + file + " in");
  }

  private Optional<LostIndex.Found> searched(List<ContainerVersion> versions) {
    return versions.stream()
        .flatMap(
            version -> attempt(0, () -> LostIndex.find(input, file, version, expected)).stream())
        .flatMap(Optional::stream)
        .findFirst();
  }

  private ByteBuffer read(long at, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(bytes);
    input.readFully(at, into);
    return into.flip();
  }

  private List<RegionScan> regions(ReadableStore store, ContainerIndex index) throws IOException {
    List<Holder> listed = expected.map(ContainerSummary::holders).orElse(List.of());
    List<RegionScan> regions = new ArrayList<>();
    try (HolderInputs holders = new HolderInputs(store, group(), listed)) {
      for (Map.Entry<Integer, ContainerIndex.RankIndex> rank : index.ranks().entrySet()) {
        for (int region = 0; region < rank.getValue().images().size(); region++) {
          RegionImage image = rank.getValue().images().get(region);
          StoredChunks stored = rank.getValue().stored().get(region);
          regions.add(region(rank.getKey(), image, stored, holders, listed.size()));
        }
      }
    }
    return regions;
  }

  /** Asked for with holders alone, which a manifest names. */
  private GroupId group() {
    return named.map(each -> each.id().group()).orElse(NO_GROUP);
  }

  private RegionScan region(
      int rank, RegionImage image, StoredChunks stored, HolderInputs holders, int listed) {
    Map<Encoding, Integer> encodings = new EnumMap<>(Encoding.class);
    SortedMap<Integer, Integer> leaned = new TreeMap<>();
    List<Integer> bad = new ArrayList<>();
    List<Break> found = new ArrayList<>();
    long storedBytes = 0;
    int here = 0;
    for (int chunk = 0; chunk < image.chunks(); chunk++) {
      if (!stored.holds(chunk)) {
        continue;
      }
      int holder = stored.holder(chunk);
      encodings.merge(stored.encoding(chunk), 1, Integer::sum);
      if (holder == Base.ITSELF) {
        here++;
        storedBytes += stored.bytes(chunk);
      } else {
        leaned.merge(holder, 1, Integer::sum);
      }
      if (holder <= listed) {
        int number = chunk;
        damage(stored, number, holders)
            .ifPresent(
                each -> {
                  bad.add(number);
                  found.add(each);
                });
      }
    }
    note(rank, image, bad, found);
    int held = encodings.values().stream().mapToInt(Integer::intValue).sum();
    return new RegionScan(
        rank, image, encodings, storedBytes, here, leaned, image.chunks() - held, bad);
  }

  /** Notes the first bad chunk of a region. */
  private void note(int rank, RegionImage image, List<Integer> bad, List<Break> found) {
    if (!bad.isEmpty()) {
      Break first = found.get(0);
      String which =
          String.format(
              Locale.ROOT, "rank %d, region %s, chunk %d", rank, image.name(), bad.get(0));
      String all = bad.size() + " of " + image.chunks() + " chunks bad";
      String reason = which + ": " + first.reason() + "; " + all;
      breaks.add(new Break(first.file(), first.offset(), reason));
    }
  }

  /** Reads the stored bytes of a chunk, and compares them. */
  private Optional<Break> damage(StoredChunks stored, int chunk, HolderInputs holders) {
    int holder = stored.holder(chunk);
    String where = holder == Base.ITSELF ? file : holders.file(holder);
    long at = stored.offset(chunk);
    try {
      StoreInput from = holder == Base.ITSELF ? input : holders.of(holder);
      ByteBuffer into = staged(from, at, stored.bytes(chunk), where);
      from.readFully(at, into);
      progress.accept(stored.bytes(chunk));
      int sum = checksum.before(into, 0);
      return sum == stored.checksum(chunk)
          ? Optional.empty()
          : Optional.of(new Break(where, at, differs(sum, stored.checksum(chunk))));
    } catch (FormatException e) {
      return Optional.of(new Break(e.file(), e.offset(), e.reason()));
    } catch (IOException e) {
      return Optional.of(new Break(where, at, String.valueOf(e.getMessage())));
    }
  }

  private static String differs(int found, int expected) {
    return "stored bytes have CRC32C %s, the index says %s"
        .formatted(ChunkChecksum.show(found), ChunkChecksum.show(expected));
  }

  /** Room for the stored bytes of a chunk, which a file must have before memory is taken. */
  private ByteBuffer staged(StoreInput from, long at, int bytes, String where) throws IOException {
    if (at > from.length() - bytes) {
      throw new FormatException(where, from.length(), "ends before the chunk does");
    }
    if (staging.capacity() < bytes) {
      staging = ByteBuffer.allocateDirect(bytes);
    }
    return staging.clear().limit(bytes);
  }
}
