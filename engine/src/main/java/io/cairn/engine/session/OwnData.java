package io.cairn.engine.session;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.session.RestoreReport.Attempt;
import io.cairn.flush.restore.VerifiedCopy;
import java.io.IOException;
import java.util.List;

/**
 * The data that the same rank wrote, in a group of the same size. Not thread-safe.
 *
 * @param writing writes the regions, or returns the bytes that it wrote already
 */
record OwnData(VerifiedCopy copy, Writing writing) implements Examined.Good {
  /** Writes the regions. */
  @FunctionalInterface
  interface Writing {
    /** As {@link Examined.Good#restore}. */
    long bytes() throws IOException;
  }

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
  public String source() {
    return copy.source();
  }

  @Override
  public long restore() throws IOException {
    return writing.bytes();
  }

  @Override
  public void close() throws IOException {
    copy.close();
  }
}
