package io.cairn.flush.restore;

import io.cairn.Level;
import io.cairn.RestoreReport.Attempt;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * One rank's data, of which the caller reads the chunks that it needs, each from its nearest good
 * copy. Not thread-safe.
 */
public final class PartialCopy implements Closeable {
  private final CopyChain chain;
  private final boolean usable;

  PartialCopy(CopyChain chain) {
    this.chain = chain;
    this.usable = chain.open();
  }

  /** Whether a copy could be opened; if not, there are no regions. */
  public boolean usable() {
    return usable;
  }

  /** The rank's regions, in the order of capture. */
  public List<RegionImage> images() {
    return chain.images();
  }

  /** Reads and verifies chunks. Throws only if no good copy remains. */
  public ChunkReader reader() {
    return chain;
  }

  /** The farthest level that a chunk was read from. */
  public Level level() {
    return chain.level();
  }

  /** The location of the farthest copy that a chunk was read from, for people. */
  public String source() {
    return chain.source();
  }

  /**
   * The attempts to read a copy.
   *
   * @param used whether the data is used
   */
  public List<Attempt> attempts(boolean used) {
    return chain.attempts(used);
  }

  /** Whether a read failed without showing damage, so that another planner may succeed later. */
  public boolean retryable() {
    return chain.retryable();
  }

  @Override
  public void close() throws IOException {
    chain.close();
  }
}
