package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.core.model.ContentHash;
import io.cairn.core.model.Holder;
import io.cairn.core.model.RegionImage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The chunks that one container leaves out, since older containers hold them. A reference always
 * names the container with the bytes, so a read takes one hop. Not thread-safe.
 */
final class References {
  /*
   * Compaction
   * ----------
   * The holders with the most bytes that are still in use are kept, as many as allowed. The chunks
   * of the others are written again. So each container adds itself as a holder, and drops the one
   * that is the cheapest to replace.
   *
   * The file of a holder stays whole, however little of it is in use. So a holder is also dropped
   * if the files of those with more bytes in use leave no room for it: together they are at most
   * SPACE times as long as the uncompressed chunks of the new container and those that it leaves
   * out.
   */

  /** The longest that all holders together are, in lengths of what the container stands for. */
  private static final int SPACE = 2;

  private static final int NO_REGION = -1;

  private final Leaning leaning;
  private final List<RegionImage> images;
  private final RankChunks.Part part;

  /** The number of each region in the base; {@link #NO_REGION} if it has another shape there. */
  private final int[] inBase;

  /** The bytes of a container of these regions that are no chunks. */
  private final long describedBytes;

  /** Which of the base's holders may be used. */
  private final boolean[] allowed;

  /** The number of each of the base's holders in the new list; 0 until it is used. */
  private final int[] numbers;

  private final List<Holder> used = new ArrayList<>();

  /**
   * References of a container.
   *
   * @param id its checkpoint
   * @param rank its rank's regions, and the chunks that it is to hold
   * @throws IllegalArgumentException if the base is not of an older checkpoint of the group
   */
  References(Leaning leaning, CheckpointId id, RankChunks rank) {
    this.leaning = leaning;
    this.images = rank.images();
    this.part = rank.part();
    this.describedBytes =
        ContainerHeader.BYTES
            + ContainerIndex.bytes(List.of(rank), ContainerVersion.ENCODED)
            + ContainerTrailer.BYTES;
    this.inBase = new int[images.size()];
    Arrays.fill(inBase, NO_REGION);
    leaning.base().ifPresent(base -> match(base, id));
    this.allowed = leaning.base().map(this::mostUsed).orElseGet(() -> new boolean[0]);
    this.numbers = new int[allowed.length];
  }

  private void match(Base base, CheckpointId id) {
    if (!base.id().group().equals(id.group()) || base.id().compareTo(id) >= 0) {
      throw new IllegalArgumentException(id + " cannot lean on " + base.id());
    }
    Map<String, Integer> byName = new HashMap<>();
    for (int i = 0; i < base.images().size(); i++) {
      byName.put(base.images().get(i).name(), i);
    }
    for (int region = 0; region < images.size(); region++) {
      RegionImage image = images.get(region);
      Integer there = byName.get(image.name());
      if (there != null && sameShape(image, base.images().get(there))) {
        inBase[region] = there;
      }
    }
  }

  private static boolean sameShape(RegionImage one, RegionImage other) {
    return one.bytes() == other.bytes() && one.chunkBytes() == other.chunkBytes();
  }

  /** The holders with the most bytes of this container that seem unchanged. */
  private boolean[] mostUsed(Base base) {
    long all = 0;
    long[] bytes = new long[base.holders()];
    for (int region = 0; region < images.size(); region++) {
      for (int chunk = 0; chunk < images.get(region).chunks(); chunk++) {
        if (part.holds(region, chunk)) {
          int length = images.get(region).chunkLength(chunk);
          all += length;
          if (seemsUnchanged(base, region, chunk)) {
            bytes[base.stored(inBase[region]).holder(chunk)] += length;
          }
        }
      }
    }
    return mostUsed(base, bytes, SPACE * all);
  }

  private boolean[] mostUsed(Base base, long[] bytes, long space) {
    boolean[] most = new boolean[bytes.length];
    int count = 0;
    long room = space;
    for (int holder : byBytes(bytes)) {
      long taken = chunkBytes(base.holder(holder));
      if (count < leaning.maxHolders() && taken <= room) {
        most[holder] = true;
        count++;
        room -= taken;
      }
    }
    return most;
  }

  /** The holders with bytes in use, most first. */
  private static int[] byBytes(long[] bytes) {
    return IntStream.range(0, bytes.length)
        .boxed()
        .filter(holder -> bytes[holder] > 0)
        .sorted(Comparator.comparing((Integer holder) -> -bytes[holder]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** The bytes of a holder's chunks, if it is of the same regions. */
  private long chunkBytes(Holder holder) {
    return Math.max(0, holder.bytes() - describedBytes);
  }

  private boolean seemsUnchanged(Base base, int region, int chunk) {
    int there = inBase[region];
    return there != NO_REGION
        && base.stored(there).holds(chunk)
        && base.images().get(there).checksum(chunk) == images.get(region).checksum(chunk);
  }

  /** Whether newer containers may lean on this one. */
  boolean serve() {
    return leaning.maxHolders() > 0;
  }

  /** The checkpoint of the base. */
  Optional<CheckpointId> base() {
    return leaning.base().map(Base::id);
  }

  /** Whether a chunk may be left out if it is as it was in the base. */
  boolean mayLeaveOut(int region, int chunk) {
    return leaning.base().isPresent()
        && seemsUnchanged(leaning.base().get(), region, chunk)
        && allowed[leaning.base().get().stored(inBase[region]).holder(chunk)];
  }

  /** The base's hash of a chunk that may be left out, if it is known. */
  Optional<ContentHash> hashInBase(int region, int chunk) {
    return mayLeaveOut(region, chunk)
        ? leaning.base().orElseThrow().stored(inBase[region]).hash(chunk)
        : Optional.empty();
  }

  /** Enters a chunk that is as it was in the base. */
  void put(ByteBuffer index, int region, int chunk) {
    Base base = leaning.base().orElseThrow();
    StoredChunks there = base.stored(inBase[region]);
    int holder = there.holder(chunk);
    if (numbers[holder] == 0) {
      used.add(base.holder(holder));
      numbers[holder] = used.size();
    }
    int checksum = images.get(region).checksum(chunk);
    there.putReference(index, chunk, numbers[holder], checksum);
  }

  /** The containers that hold what was left out, by their numbers from 1 on. */
  List<Holder> used() {
    return List.copyOf(used);
  }
}
