package io.cairn.flush.format;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of one rank's checkpoint: containers that are written at once, each with some of the
 * chunks. The name of a part says how many there are, so a manifest that lacks one shows it.
 * Stateless.
 */
public final class Parts {
  /** The most parts of one rank's checkpoint. */
  public static final int MOST = 16;

  private static final Pattern NAME =
      Pattern.compile("writer-r(\\d{5,10})-part(\\d{1,9})of(\\d{1,9})\\.chunks");

  private Parts() {}

  /**
   * Name of a container with one part of a rank's chunks.
   *
   * @param index of the part, from 0 on
   * @param parts of the rank's checkpoint; the container of a single one is named after its rank
   */
  public static String name(int rank, int index, int parts) {
    return parts == 1
        ? StoreNames.container(rank)
        : StoreNames.container(rank, "part" + index + "of" + parts);
  }

  /** Whether the name is that of a part. */
  static boolean isPart(String container) {
    return NAME.matcher(container).matches();
  }

  /**
   * The chunks of one part: each so-many-th of the rank's chunks, so that parts take equally long
   * whichever regions compress well.
   *
   * @param whole all chunks of the rank
   * @param source reads the chunks of this part
   */
  static RankChunks of(RankChunks whole, ChunkReader source, int index, int parts) {
    ChunkNumbers numbers = new ChunkNumbers(whole.images());
    return new RankChunks(
        whole.rank(),
        whole.images(),
        source,
        (region, chunk) -> numbers.of(region, chunk) % parts == index,
        whole.compressions());
  }

  /** The chunks that a container of the rank with this name has: those of its part, or all. */
  static RankChunks named(String container, RankChunks whole) {
    Matcher name = NAME.matcher(container);
    return name.matches()
        ? of(whole, whole.source(), Integer.parseInt(name.group(2)), parts(name))
        : whole;
  }

  /**
   * Requires that each rank with a part has all of its parts, each of them once, and nothing else.
   * O(containers · log containers).
   *
   * @throws IllegalArgumentException naming the rank and the parts that are listed
   */
  public static void require(CheckpointManifest manifest) {
    Map<Integer, List<ContainerSummary>> parts = new TreeMap<>();
    for (ContainerSummary container : manifest.containers()) {
      Matcher name = NAME.matcher(container.file());
      if (name.matches()) {
        parts.computeIfAbsent(rankOf(container, name), rank -> new ArrayList<>()).add(container);
      }
    }
    Map<Integer, Integer> containers = new TreeMap<>();
    for (ContainerSummary container : manifest.containers()) {
      container.ranks().forEach(rank -> containers.merge(rank, 1, Integer::sum));
    }
    parts.forEach((rank, of) -> requireAll(rank, of, containers.getOrDefault(rank, 0)));
  }

  /**
   * Whether the names of a directory's containers show that some rank lacks a part. O(containers ·
   * log containers).
   */
  public static boolean isOneMissing(Collection<String> containers) {
    Map<String, Integer> left = new TreeMap<>();
    for (String container : containers) {
      Matcher name = NAME.matcher(container);
      if (name.matches()) {
        String set = name.group(1) + " of " + name.group(3);
        left.merge(set, parts(name) - 1, (known, first) -> known - 1);
      }
    }
    return left.values().stream().anyMatch(missing -> missing != 0);
  }

  /** The rank of a part, whose name must be the one name of that part. */
  private static int rankOf(ContainerSummary container, Matcher name) {
    int rank = container.ranks().get(0);
    int index = Integer.parseInt(name.group(2));
    int parts = parts(name);
    if (parts < 2 || parts > MOST || index >= parts) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "container %s: a rank has 2 to %d parts, from part 0 on",
              container.file(),
              MOST));
    }
    if (container.ranks().size() > 1 || !container.file().equals(name(rank, index, parts))) {
      throw new IllegalArgumentException(
          "container %s is not the part of ranks %s that its name says"
              .formatted(container.file(), container.ranks()));
    }
    return rank;
  }

  private static void requireAll(int rank, List<ContainerSummary> listed, int containers) {
    int parts = parts(listed.get(0));
    boolean same = listed.stream().allMatch(part -> parts(part) == parts);
    if (!same || listed.size() != parts || containers != parts) {
      throw new IllegalArgumentException(
          String.format(
                  Locale.ROOT,
                  "rank %d has %d containers, %s among them: it must have each of its %d parts once"
                      + " and no",
                  rank,
                  containers,
                  listed.stream().map(ContainerSummary::file).toList(),
                  parts)
              + " other container, so the manifest is not as it was written");
    }
  }

  private static int parts(Matcher name) {
    return Integer.parseInt(name.group(3));
  }

  private static int parts(ContainerSummary part) {
    Matcher name = NAME.matcher(part.file());
    return name.matches() ? parts(name) : 1;
  }
}
