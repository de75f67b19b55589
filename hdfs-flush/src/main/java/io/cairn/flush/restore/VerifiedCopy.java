package io.cairn.flush.restore;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.Level;
import io.cairn.core.model.RegionImage;
import io.cairn.core.session.RestoreReport.Attempt;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * One rank's data of one checkpoint, every chunk of which was read and matched its checksum. Each
 * chunk is verified again when it is read. A copy that has become bad meanwhile is replaced by the
 * next one. Not thread-safe.
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

  /** The farthest level that a chunk was read from. */
  public Level level() {
    return chain.level();
  }

  /** The location of the farthest copy that a chunk was read from, for people. */
  public String source() {
    return chain.source();
  }

  /** The rank's regions, in the order of capture. */
  public List<RegionImage> images() {
    return chain.images();
  }

  /** The program that wrote it; empty if that is not known. */
  public Fingerprint program() {
    return chain.program();
  }

  /** Bytes of all regions. */
  public long bytes() {
    return images().stream().mapToLong(RegionImage::bytes).sum();
  }

  /**
   * Reads verified chunks until this copy is closed. Throws only if no good copy remains; then the
   * buffer's position is unchanged, but the content beyond it may have changed.
   */
  public ChunkReader reader() {
    return chain;
  }

  @Override
  public void close() throws IOException {
    chain.close();
  }
}
