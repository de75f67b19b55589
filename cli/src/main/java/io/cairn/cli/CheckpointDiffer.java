package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/** Compares two checkpoints, and continues after damage. Not thread-safe; of one use. */
final class CheckpointDiffer {
  private final CheckpointStore store;
  private final Side a;
  private final Side b;
  private final List<RegionDiff> regions = new ArrayList<>();
  private final List<String> damage = new ArrayList<>();

  /** One of the two: the containers of each rank, as far as manifests can be read. */
  private record Side(
      CheckpointId id, SortedMap<Integer, List<ContainerSummary>> ranks, List<String> only) {
    String name() {
      return id.label();
    }

    List<ContainerSummary> containers(int rank) {
      return ranks.getOrDefault(rank, List.of());
    }
  }

  /**
   * Reads the manifests of both.
   *
   * @throws IOException if a directory cannot be listed
   */
  CheckpointDiffer(CheckpointStore store, CheckpointId a, CheckpointId b) throws IOException {
    this.store = store;
    this.a = side(a);
    this.b = side(b);
  }

  private Side side(CheckpointId id) throws IOException {
    SortedMap<Integer, List<ContainerSummary>> ranks = new TreeMap<>();
    for (StoreEntry entry : store.list(StoreNames.checkpoint(id))) {
      if (StoreNames.isManifest(entry.name())) {
        try {
          ManifestFile.read(store, StoreNames.file(id, entry.name()))
              .require()
              .containers()
              .forEach(each -> add(ranks, each));
        } catch (IOException e) {
          damage.add(String.valueOf(e.getMessage()));
        }
      }
    }
    if (ranks.isEmpty() && damage.isEmpty()) {
      damage.add(store.describe() + "/" + StoreNames.checkpoint(id) + " has no manifest");
    }
    return new Side(id, ranks, new ArrayList<>());
  }

  private static void add(
      SortedMap<Integer, List<ContainerSummary>> ranks, ContainerSummary container) {
    for (int rank : container.ranks()) {
      ranks.computeIfAbsent(rank, each -> new ArrayList<>()).add(container);
    }
  }

  /** Bytes of all containers of both. */
  long bytes() {
    return bytes(a) + bytes(b);
  }

  private static long bytes(Side side) {
    return side.ranks().values().stream()
        .flatMap(List::stream)
        .mapToLong(ContainerSummary::bytes)
        .sum();
  }

  /**
   * Compares them.
   *
   * @param progress receives the bytes of chunks as they are read
   */
  CheckpointDiff run(DiffCommand.Elements as, LongConsumer progress) {
    SortedSet<Integer> ranks = new TreeSet<>(a.ranks().keySet());
    ranks.addAll(b.ranks().keySet());
    for (int rank : ranks) {
      if (!a.ranks().containsKey(rank)) {
        only(b, rank, progress);
      } else if (!b.ranks().containsKey(rank)) {
        only(a, rank, progress);
      } else {
        compare(rank, as, progress);
      }
    }
    boolean same = a.only().isEmpty() && b.only().isEmpty() && damage.isEmpty();
    return new CheckpointDiff(
        store.describe(),
        a.id().group().toString(),
        a.name(),
        b.name(),
        same && regions.stream().allMatch(RegionDiff::isEqual),
        regions,
        a.only(),
        b.only(),
        damage);
  }

  /** A rank that the other checkpoint has not; it is read all the same. */
  private void only(Side of, int rank, LongConsumer progress) {
    of.only().add("rank " + rank);
    Optional<RankReader> reader = open(of, rank);
    if (reader.isPresent()) {
      for (int region = 0; region < reader.get().images().size(); region++) {
        side(of, rank, reader.get(), region, progress).loadFrom(0);
      }
      close(reader.get());
    }
  }

  private void compare(int rank, DiffCommand.Elements as, LongConsumer progress) {
    Optional<RankReader> left = open(a, rank);
    Optional<RankReader> right = open(b, rank);
    if (left.isPresent() && right.isPresent()) {
      compare(rank, left.get(), right.get(), as, progress);
    }
    left.ifPresent(this::close);
    right.ifPresent(this::close);
  }

  private Optional<RankReader> open(Side side, int rank) {
    try {
      return Optional.of(RankReader.open(store, side.id(), rank, side.containers(rank)));
    } catch (IOException e) {
      damage.add("rank " + rank + " of " + side.name() + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private void close(RankReader reader) {
    try {
      reader.close();
    } catch (IOException e) {
      damage.add(String.valueOf(e.getMessage()));
    }
  }

  private void compare(
      int rank, RankReader left, RankReader right, DiffCommand.Elements as, LongConsumer progress) {
    Map<String, Integer> there = new TreeMap<>();
    for (int region = 0; region < right.images().size(); region++) {
      there.put(right.images().get(region).name(), region);
    }
    for (int region = 0; region < left.images().size(); region++) {
      RegionImage image = left.images().get(region);
      Integer other = there.remove(image.name());
      if (other == null) {
        a.only().add("rank " + rank + ", region " + image.name());
        side(a, rank, left, region, progress).loadFrom(0);
        continue;
      }
      RegionSide one = side(a, rank, left, region, progress);
      RegionSide two = side(b, rank, right, other, progress);
      regions.add(RegionDiff.of(rank, one, two, element(rank, one, two, as)));
    }
    there.forEach(
        (name, region) -> {
          b.only().add("rank " + rank + ", region " + name);
          side(b, rank, right, region, progress).loadFrom(0);
        });
  }

  private RegionSide side(Side of, int rank, RankReader reader, int region, LongConsumer progress) {
    String where = "rank " + rank + " of " + of.name() + ": ";
    return new RegionSide(
        reader.images().get(region), region, reader, each -> damage.add(where + each), progress);
  }

  /** The element of both, if each chunk has whole ones. */
  private Optional<Element> element(
      int rank, RegionSide one, RegionSide two, DiffCommand.Elements as) {
    String name = one.image().name();
    Optional<Element> known = kind(a, rank, name);
    Optional<Element> both = known.filter(each -> kind(b, rank, name).equals(known));
    return as.of(name, both).filter(each -> fits(one, each) && fits(two, each));
  }

  private static Optional<Element> kind(Side side, int rank, String region) {
    Fingerprint program = ContainerSummary.program(side.containers(rank));
    return Element.ofKind(program.entries().getOrDefault("region." + region, ""));
  }

  private static boolean fits(RegionSide side, Element element) {
    return side.image().bytes() % element.bytes() == 0
        && side.image().chunkBytes() % element.bytes() == 0;
  }
}
