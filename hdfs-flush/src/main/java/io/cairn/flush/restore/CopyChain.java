package io.cairn.flush.restore;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Level;
import io.cairn.core.model.RegionImage;
import io.cairn.core.session.RestoreReport.Attempt;
import io.cairn.flush.format.ChunkChecksum;
import io.cairn.flush.format.ContainerReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One rank's copies of one checkpoint, nearest first. Reads each chunk from the nearest copy whose
 * bytes match the checksum. Opens copies at their first use. Not thread-safe.
 */
final class CopyChain implements ChunkReader, Closeable {
  private final CheckpointId id;
  private final int rank;
  private final List<Link> links = new ArrayList<>();
  private final ChunkChecksum checksum = new ChunkChecksum();
  private List<RegionImage> images = List.of();
  private int[] firstNumbers = new int[0];
  private @Nullable Link reference;
  private int farthestUsed = -1;

  /** The copy of one source; opened at its first use. */
  private static final class Link {
    private final CopySource source;
    private final CopyHealth health;
    private @Nullable Copy copy;
    private boolean absent;

    private Link(CopySource source, CopyHealth health) {
      this.source = source;
      this.health = health;
    }
  }

  CopyChain(CheckpointId id, int rank) {
    this.id = id;
    this.rank = rank;
  }

  /** Adds the next farther source, with the known defects of its copy. */
  void add(CopySource source, CopyHealth health) {
    links.add(new Link(source, health));
  }

  /** Opens the nearest usable copy, which defines the regions; false if there is none. */
  boolean open() {
    for (int i = 0; i < links.size() && farthestUsed < 0; i++) {
      farthestUsed = open(links.get(i)) == null ? -1 : i;
    }
    return farthestUsed >= 0;
  }

  /** The rank's regions. */
  List<RegionImage> images() {
    return images;
  }

  /** The farthest level that a chunk was read from; initially the level of the nearest copy. */
  Level level() {
    return links.get(farthestUsed).source.level();
  }

  /**
   * The attempts to read a copy.
   *
   * @param used whether the rank's data is used; then the last attempt has no refusal
   */
  List<Attempt> attempts(boolean used) {
    List<Attempt> attempts = new ArrayList<>();
    int chunks = images.stream().mapToInt(RegionImage::chunks).sum();
    for (Link link : links) {
      String problem = link.health.describe(chunks);
      if (!problem.isEmpty()) {
        attempts.add(new Attempt(id, link.source.level(), problem));
      }
    }
    if (used) {
      attempts.add(new Attempt(id, level(), ""));
    }
    return attempts;
  }

  /** Whether a read failed without showing damage, so that a later one may succeed. */
  boolean retryable() {
    return links.stream().anyMatch(link -> link.health.retryable());
  }

  @Override
  public void read(int region, int chunk, ByteBuffer into) throws IOException {
    int number = firstNumbers[region] + chunk;
    for (int i = 0; i < links.size(); i++) {
      Link link = links.get(i);
      Copy copy = link.health.offers(number) ? open(link) : null;
      if (copy != null && read(link, copy, region, chunk, into)) {
        farthestUsed = Math.max(farthestUsed, i);
        return;
      }
    }
    throw new IOException(
        "no good copy of "
            + id
            + ", rank "
            + rank
            + ", region "
            + images.get(region).name()
            + ", chunk "
            + chunk);
  }

  /**
   * Reads and verifies a chunk. On failure restores the buffer, and marks the chunk as bad here.
   */
  private boolean read(Link link, Copy copy, int region, int chunk, ByteBuffer into) {
    RegionImage image = images.get(region);
    int from = into.position();
    int limit = into.limit();
    String failure;
    try {
      copy.reader().read(region, chunk, into);
      int found = checksum.before(into, from);
      if (into.position() - from == image.chunkLength(chunk) && found == image.checksum(chunk)) {
        return true;
      }
      failure = copy.describe() + ": " + ContainerReader.mismatch(image, chunk, found);
    } catch (IOException e) {
      failure = e.toString();
      link.health.note(e);
    }
    into.limit(limit).position(from);
    link.health.refuseChunk(firstNumbers[region] + chunk, failure);
    return false;
  }

  private @Nullable Copy open(Link link) {
    if (link.copy == null && !link.absent && link.health.usable()) {
      try {
        Optional<Copy> found = link.source.open(id, rank);
        if (found.isPresent()) {
          accept(link, found.get());
        } else {
          link.absent = true;
        }
      } catch (IOException e) {
        link.health.refuse(e.toString());
        link.health.note(e);
      }
    }
    return link.copy;
  }

  private void accept(Link link, Copy copy) throws IOException {
    if (reference == null) {
      reference = link;
      images = copy.images();
      firstNumbers = new int[images.size()];
      for (int i = 1; i < firstNumbers.length; i++) {
        firstNumbers[i] = firstNumbers[i - 1] + images.get(i - 1).chunks();
      }
    } else if (!images.equals(copy.images())) {
      copy.close();
      throw new IOException(
          copy.describe()
              + " holds other regions or checksums than "
              + reference.source.describe());
    }
    link.copy = copy;
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (Link link : links) {
      try {
        if (link.copy != null) {
          link.copy.close();
        }
      } catch (IOException e) {
        failure = e;
      }
      link.copy = null;
      link.absent = true;
    }
    if (failure != null) {
      throw failure;
    }
  }
}
