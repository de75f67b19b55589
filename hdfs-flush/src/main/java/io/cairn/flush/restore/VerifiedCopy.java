package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.RestoreReport.Attempt;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.restore.Landing.Landed;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * One rank's data of one checkpoint, every chunk of which was read and matched its checksum. Its
 * chunks have landed in memory, or are read and verified again. A copy that has become bad
 * meanwhile is replaced by the next one. Not thread-safe.
 */
public final class VerifiedCopy implements Verification, Closeable {
  private final CheckpointId id;
  private final Lanes lanes;
  private final Optional<Landed> landed;

  VerifiedCopy(CheckpointId id, Lanes lanes, Optional<Landed> landed) {
    this.id = id;
    this.lanes = lanes;
    this.landed = landed;
  }

  @Override
  public CheckpointId id() {
    return id;
  }

  @Override
  public List<Attempt> attempts() {
    return lanes.farthest().attempts(true);
  }

  /** The farthest level that a chunk was read from. */
  public Level level() {
    return lanes.farthest().level();
  }

  /** The location of the farthest copy that a chunk was read from, for people. */
  public String source() {
    return lanes.farthest().source();
  }

  /** The rank's regions, in the order of capture. */
  public List<RegionImage> images() {
    return lanes.first().images();
  }

  /** The program that wrote it; empty if that is not known. */
  public Fingerprint program() {
    return lanes.first().program();
  }

  /** Bytes of all regions. */
  public long bytes() {
    return images().stream().mapToLong(RegionImage::bytes).sum();
  }

  /**
   * Read verified chunks until this copy is closed, each on a thread of its own. They throw only if
   * no good copy remains; then the buffer's position is unchanged, but the content beyond it may
   * have changed.
   *
   * @return at least one
   */
  public List<ChunkReader> readers() {
    return lanes.readers();
  }

  @Override
  public void close() throws IOException {
    landed.ifPresent(Landed::close);
    lanes.close();
  }
}
