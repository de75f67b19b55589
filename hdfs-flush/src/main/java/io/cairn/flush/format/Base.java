package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Holder;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.format.ContainerIndex.RankIndex;
import java.util.ArrayList;
import java.util.List;

/**
 * One rank's checkpoint as it was written, in one container or in {@link Parts}: newer containers
 * of the rank may lean on it, and on the holders that it leans on itself. Immutable.
 */
public final class Base {
  /** The number of the holder that a container itself is. */
  static final int ITSELF = 0;

  private final CheckpointId id;
  private final List<ContainerSummary> containers;
  private final List<RegionImage> images;

  /** The chunks of each region; their holders are numbers in {@link #holders}. */
  private final List<StoredChunks> stored;

  private final List<Holder> holders;

  private Base(
      CheckpointId id,
      List<ContainerSummary> containers,
      List<RegionImage> images,
      List<StoredChunks> stored,
      List<Holder> holders) {
    this.id = id;
    this.containers = List.copyOf(containers);
    this.images = images;
    this.stored = List.copyOf(stored);
    this.holders = List.copyOf(holders);
  }

  /** One container. */
  Base(CheckpointId id, ContainerSummary container, RankIndex index) {
    this(id, List.of(container), index.images(), index.stored(), holdersOf(id, container));
  }

  private static List<Holder> holdersOf(CheckpointId id, ContainerSummary container) {
    List<Holder> holders = new ArrayList<>();
    holders.add(Holder.of(id, container));
    holders.addAll(container.holders());
    return holders;
  }

  /**
   * All parts of one rank's checkpoint as one. O(chunks).
   *
   * @param parts at least one, which together hold every chunk
   */
  static Base of(List<Base> parts) {
    Base first = parts.get(0);
    if (parts.size() == 1) {
      return first;
    }
    List<ContainerSummary> containers = new ArrayList<>();
    List<Holder> holders = new ArrayList<>();
    List<StoredChunks> all =
        first.images.stream()
            .map(image -> new StoredChunks(ContainerVersion.ENCODED, image.chunks()))
            .toList();
    for (Base part : parts) {
      containers.addAll(part.containers);
      short[] numbers = numbers(part.holders, holders);
      for (int region = 0; region < all.size(); region++) {
        all.get(region).take(part.stored.get(region), numbers);
      }
    }
    return new Base(first.id, containers, first.images, all, holders);
  }

  /** The number of each holder of a part among all, to which it is added if it is new. */
  private static short[] numbers(List<Holder> ofPart, List<Holder> all) {
    short[] numbers = new short[ofPart.size()];
    for (int i = 0; i < numbers.length; i++) {
      Holder holder = ofPart.get(i);
      if (!all.contains(holder)) {
        all.add(holder);
      }
      numbers[i] = (short) all.indexOf(holder);
    }
    return numbers;
  }

  /** The checkpoint. */
  public CheckpointId id() {
    return id;
  }

  /** Its manifest's entries for the containers, by part. */
  public List<ContainerSummary> containers() {
    return containers;
  }

  List<RegionImage> images() {
    return images;
  }

  /** The chunks of a region. */
  StoredChunks stored(int region) {
    return stored.get(region);
  }

  /** The number of the holders that its chunks are in: its containers, and those in their lists. */
  int holders() {
    return holders.size();
  }

  /** The holder with this number, from 0 on. */
  Holder holder(int number) {
    return holders.get(number);
  }
}
