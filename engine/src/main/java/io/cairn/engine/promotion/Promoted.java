package io.cairn.engine.promotion;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.CapturedChunks;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest.Parent;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionEntries;
import io.cairn.core.model.RegionImage;
import io.cairn.core.model.StagingBuffer;
import io.cairn.engine.sharing.borrower.Leases;
import io.cairn.flush.format.RankChunks;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.RoundedChunks;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * One rank's captured checkpoint on its way to the levels below DEVICE. Immutable.
 *
 * @param source its chunks at DEVICE, or in the regions if no device memory holds them
 * @param leases those chunks of the source that lie at lenders
 * @param program captured it
 * @param entries of its manifest besides; made where it is written, since the training waits for a
 *     capture
 * @param parent the checkpoint that it follows
 * @param due the levels that it goes to
 * @param ending whether its training or its process ends, so that no full stage rejects it
 * @param reporter receives the outcome at each level
 */
public record Promoted(
    Member member,
    CheckpointId id,
    CapturedChunks source,
    Leases leases,
    Fingerprint program,
    Supplier<Map<String, String>> entries,
    Optional<Parent> parent,
    Ancestry ancestry,
    Set<Level> due,
    boolean ending,
    RankReporter reporter) {
  /** Copies the set. */
  public Promoted {
    due = Level.where(due::contains);
  }

  /** The same checkpoint, with other leases. */
  public Promoted at(Leases other) {
    return new Promoted(
        member, id, source, other, program, entries, parent, ancestry, due, ending, reporter);
  }

  /** The same checkpoint on its way to other levels. */
  public Promoted dueAt(Set<Level> levels, boolean atEnd) {
    return new Promoted(
        member, id, source, leases, program, entries, parent, ancestry, levels, atEnd, reporter);
  }

  /** The entries of its manifest. */
  public Fingerprint described() {
    SortedMap<String, String> all = new TreeMap<>(program.entries());
    all.putAll(entries.get());
    return new Fingerprint(all);
  }

  /** The rank whose data this is. */
  public int rank() {
    return member.rank();
  }

  /** Bytes of all regions. O(regions). */
  public long bytes() {
    long bytes = 0;
    for (RegionImage image : source.images()) {
      bytes += image.bytes();
    }
    return bytes;
  }

  /** Its chunks, read from a copy of it, as their regions ask to be written. */
  RankChunks chunksOf(Copy copy) {
    return new RankChunks(rank(), copy.images(), copy.reader()).writtenBy(program);
  }

  /**
   * The copy that was captured, as the levels below DEVICE hold it. It can be read while it or
   * another pin of the source is open.
   *
   * @param staging of the calling thread
   * @throws IOException if a chunk that is to be rounded is damaged or cannot be read
   */
  Copy asCaptured(StagingBuffer staging) throws IOException {
    Closeable pin = source.pin().<Closeable>map(open -> open::close).orElse(() -> {});
    String where = source instanceof CachedCheckpoint ? "the device cache" : "the regions";
    Copy exact = new Copy(where, source.images(), program, source.reader(), pin);
    return RoundedChunks.of(exact, staging);
  }

  /** Whether the levels below DEVICE hold other bytes than the source. */
  boolean isRounded() {
    return !RegionEntries.lossy(program).isEmpty();
  }
}
