package io.cairn.flush.restore;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Level;
import io.cairn.core.model.RegionImage;
import io.cairn.core.session.RestoreReport.Attempt;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * One rank's data of one checkpoint, of which every chunk was read and matched its checksum. Its
 * chunks are compared once more when they are read, and a copy that went bad in between is left for
 * the next one. Not thread-safe.
 */
public final class VerifiedCopy implements Verification, Closeable {
  private final CheckpointId id;
  private final CopyChain chain;

  VerifiedCopy(CheckpointId id, CopyChain chain) {
    this.id = id;
    this.chain = chain;
  }

  @Override
  public CheckpointId id() {
    return id;
  }

  @Override
  public List<Attempt> attempts() {
    return chain.attempts(true);
  }

  /** The farthest level that a chunk had to be read from. */
  public Level level() {
    return chain.level();
  }

  /** The rank's regions, in the order in which they were captured. */
  public List<RegionImage> images() {
    return chain.images();
  }

  /** Bytes of all regions. */
  public long bytes() {
    return images().stream().mapToLong(RegionImage::bytes).sum();
  }

  /**
   * Reads the chunks, verified, until this copy is closed. It throws only if no copy is good any
   * more; the buffer's position is unchanged then, its content beyond is not.
   */
  public ChunkReader reader() {
    return chain;
  }

  @Override
  public void close() throws IOException {
    chain.close();
  }
}
