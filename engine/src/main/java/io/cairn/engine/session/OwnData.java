package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.RestoreReport.Attempt;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.restore.VerifiedCopy;
import java.io.IOException;
import java.util.List;

/** The data that the same rank wrote, in a group of the same size. Not thread-safe. */
record OwnData(VerifiedCopy copy, ProtectedRegions regions, StagingBuffer staging)
    implements Examined.Good {
  @Override
  public CheckpointId id() {
    return copy.id();
  }

  @Override
  public List<Attempt> attempts() {
    return copy.attempts();
  }

  @Override
  public Level level() {
    return copy.level();
  }

  @Override
  public Fingerprint program() {
    return copy.program();
  }

  @Override
  public String source() {
    return copy.source();
  }

  @Override
  public List<String> dropped() {
    return List.of();
  }

  @Override
  public long restore() throws IOException {
    return regions.restore(copy.images(), copy.readers(), staging.forChunksOf(copy.images()));
  }

  @Override
  public void close() throws IOException {
    copy.close();
  }
}
