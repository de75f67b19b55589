package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.RestoreReport.Attempt;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.HeldBytes;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.OpenParts;
import io.cairn.core.model.RegionImage;
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
  private final List<ChainLink> links = new ArrayList<>();
  private final ChunkChecksum checksum = new ChunkChecksum();
  private List<RegionImage> images = List.of();
  private Fingerprint program = Fingerprint.NONE;
  private ChunkNumbers numbers = new ChunkNumbers(List.of());
  private @Nullable ChainLink reference;
  private int farthestUsed = -1;

  CopyChain(CheckpointId id, int rank) {
    this.id = id;
    this.rank = rank;
  }

  /** Adds the next farther source, with the known defects of its copy. */
  void add(CopySource source, CopyHealth health) {
    links.add(new ChainLink(source, health));
  }

  /**
   * Puts chunks that have landed before all copies, which serve those that are lost there. The
   * chain is open.
   *
   * @param health of the landed chunks, for all chains that read them
   */
  void nearest(ChunkReader landed, CopyHealth health) {
    Copy copy = new Copy("landed chunks of " + id, images, program, landed, () -> {});
    links.add(0, new ChainLink(new LandedChunks(copy), health));
    farthestUsed++;
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

  /** The program that wrote the nearest copy; empty if that is not known. */
  Fingerprint program() {
    return program;
  }

  /** How many threads, each with a chain of its own, the nearest copy has a use for. */
  int lanes() {
    return links.get(farthestUsed).source.lanes();
  }

  /** The number of the farthest copy that a chunk was read from. */
  int farthestUsed() {
    return farthestUsed;
  }

  /** The farthest level that a chunk was read from; initially the level of the nearest copy. */
  Level level() {
    return links.get(farthestUsed).source.level();
  }

  /** The location of the copy that {@link #level} names, for people. */
  String source() {
    ChainLink link = links.get(farthestUsed);
    return link.copy == null ? link.source.describe() : link.copy.describe();
  }

  /**
   * The attempts to read a copy.
   *
   * @param used whether the rank's data is used; then the last attempt has no refusal
   */
  List<Attempt> attempts(boolean used) {
    List<Attempt> attempts = new ArrayList<>();
    for (ChainLink link : links) {
      String problem = link.health.describe(numbers.all());
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
  public boolean verifies() {
    return true;
  }

  /** That of the nearest copy, from which most chunks come. */
  @Override
  public Optional<MappedBytes> staging(int bytes) {
    for (ChainLink link : links) {
      Copy copy = open(link);
      if (copy != null) {
        return copy.reader().staging(bytes);
      }
    }
    return Optional.empty();
  }

  @Override
  public void read(int region, int chunk, ByteBuffer into) throws IOException {
    start(region, chunk, into).await();
  }

  /**
   * Begins with the nearest copy that offers the chunk; the others are tried when it ends badly.
   */
  @Override
  public Reading start(int region, int chunk, ByteBuffer into) throws IOException {
    Attempted attempted = new Attempted(region, chunk, into);
    attempted.beginNext();
    return attempted;
  }

  /**
   * The verified bytes of the nearest copy that offers the chunk, if they lie in mapped memory. A
   * bad copy is not tried again.
   */
  @Override
  public Optional<MappedBytes> inPlace(int region, int chunk) throws IOException {
    for (int i = 0; i < links.size(); i++) {
      Copy copy = offered(i, region, chunk);
      if (copy != null) {
        Optional<MappedBytes> found = copy.reader().inPlace(region, chunk);
        if (found.isEmpty() || isGood(i, copy, region, chunk, found.get())) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private boolean isGood(int link, Copy copy, int region, int chunk, MappedBytes bytes) {
    ByteBuffer all = bytes.buffer();
    int length = all.limit();
    int found = checksum(copy, region, chunk, all.position(length), 0);
    all.rewind();
    if (isGood(link, region, chunk, length, found)) {
      return true;
    }
    bytes.close();
    return false;
  }

  /** As {@link #inPlace}, of a copy whose device computes. */
  @Override
  public Optional<? extends HeldBytes> held(int region, int chunk) throws IOException {
    for (int i = 0; i < links.size(); i++) {
      Copy copy = offered(i, region, chunk);
      if (copy != null) {
        Optional<? extends HeldBytes> found = copy.reader().held(region, chunk);
        if (found.isEmpty() || isGood(i, region, chunk, found.get())) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private boolean isGood(int link, int region, int chunk, HeldBytes bytes) {
    int length = images.get(region).chunkLength(chunk);
    try {
      if (isGood(link, region, chunk, length, bytes.checksum())) {
        return true;
      }
    } catch (IOException e) {
      links.get(link).refuse(numbers.of(region, chunk), e);
    }
    bytes.close();
    return false;
  }

  /** Of the bytes between an index and the position; a reader that verifies has compared them. */
  private int checksum(Copy copy, int region, int chunk, ByteBuffer bytes, int from) {
    return copy.reader().verifies()
        ? images.get(region).checksum(chunk)
        : checksum.before(bytes, from);
  }

  /** Whether a chunk is as it was captured; if not, it is not tried here again. */
  private boolean isGood(int link, int region, int chunk, int length, int found) {
    RegionImage image = images.get(region);
    if (length == image.chunkLength(chunk) && found == image.checksum(chunk)) {
      farthestUsed = Math.max(farthestUsed, link);
      return true;
    }
    links
        .get(link)
        .refuse(numbers.of(region, chunk), ContainerReader.mismatch(image, chunk, found));
    return false;
  }

  private @Nullable Copy offered(int link, int region, int chunk) {
    boolean offered = links.get(link).health.offers(numbers.of(region, chunk));
    return offered ? open(links.get(link)) : null;
  }

  /** A read of one chunk from one copy, and, if it ends badly, from the next ones. */
  private final class Attempted implements Reading {
    private final int region;
    private final int chunk;
    private final ByteBuffer into;
    private final int from;
    private final int limit;

    /** The number of the copy that is read; of the nearest one, at first before it. */
    private int link = -1;

    private @Nullable Copy copy;

    /** From that copy; null if it has ended, or was refused. */
    private @Nullable Reading reading;

    private boolean good;

    Attempted(int region, int chunk, ByteBuffer into) {
      this.region = region;
      this.chunk = chunk;
      this.into = into;
      this.from = into.position();
      this.limit = into.limit();
    }

    /**
     * Begins with the next copy that offers the chunk.
     *
     * @throws IOException if there is none
     */
    void beginNext() throws IOException {
      while (++link < links.size()) {
        Copy next = offered(link, region, chunk);
        if (next != null) {
          copy = next;
          begin(next);
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

    private void begin(Copy next) {
      try {
        reading = next.reader().start(region, chunk, into);
      } catch (IOException e) {
        into.limit(limit).position(from);
        links.get(link).refuse(numbers.of(region, chunk), e);
      }
    }

    @Override
    public boolean isDone() {
      return reading == null || reading.isDone();
    }

    /** One read at a time, so that the buffer has one writer; one that hangs stays the last. */
    @Override
    public void await() throws IOException {
      while (!good && !isGood()) {
        beginNext();
      }
    }

    /**
     * Waits and verifies. If the chunk is bad, the buffer is as before, and the chunk is not tried
     * here again.
     *
     * @throws IOException if the buffer may not be used again
     */
    private boolean isGood() throws IOException {
      Reading ending = reading;
      Copy read = copy;
      reading = null;
      if (ending == null || read == null) {
        return false;
      }
      try {
        ending.await();
        good =
            CopyChain.this.isGood(
                link,
                region,
                chunk,
                into.position() - from,
                checksum(read, region, chunk, into, from));
      } catch (IOException e) {
        links.get(link).refuse(numbers.of(region, chunk), e);
        requireUnused(ending, e);
      }
      if (!good) {
        into.limit(limit).position(from);
      }
      return good;
    }

    /** The bytes of another copy would be overwritten when a device answers late. */
    private void requireUnused(Reading failed, IOException cause) throws IOException {
      if (!failed.isDone()) {
        reading = failed;
        throw new IOException(
            links.get(link).source.describe() + " may still write to the buffer of a read", cause);
      }
    }
  }

  private @Nullable Copy open(ChainLink link) {
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

  private void accept(ChainLink link, Copy copy) throws IOException {
    if (reference == null) {
      reference = link;
      images = copy.images();
      program = copy.program();
      numbers = new ChunkNumbers(images);
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
    List<Copy> open = new ArrayList<>();
    for (ChainLink link : links) {
      if (link.copy != null) {
        open.add(link.copy);
      }
      link.copy = null;
      link.absent = true;
    }
    OpenParts.closeAll(open);
  }
}
