package io.cairn.engine.session;

import io.cairn.cache.capture.Reshape;
import io.cairn.core.layout.LayoutException;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.session.RestoreException;
import io.cairn.core.session.RestoreReport.Attempt;
import io.cairn.flush.restore.PartialCopy;
import io.cairn.flush.restore.RestorePlanner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data that one rank takes from a checkpoint of another number of ranks, or of other slices.
 * Opens one saved rank after the other, and reads the chunks that are needed: once to verify them,
 * and once more when the group has agreed. Not thread-safe.
 */
final class ReshapedData implements Examined.Good {
  /*
   * Replicas
   *
   * A rank reads its replicated regions from one saved rank. All saved ranks must have had the same
   * bytes, or the ranks of the new group would disagree. The indexes show that without their data:
   * every rank compares rank 0 with the saved ranks of its own number, modulo the size of the new
   * group. So all of them together compare each saved rank once.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ReshapedData.class);

  private final CheckpointId id;
  private final RestorePlanner planner;
  private final Reshape reshape;
  private final StagingBuffer staging;
  private final List<Attempt> attempts = new ArrayList<>();
  private Level level = Level.DEVICE;
  private String source = "";
  private boolean retryable;

  /** Uses one saved rank's data. */
  private interface Use {
    void use(PartialCopy copy, ByteBuffer staging) throws IOException, LayoutException;
  }

  ReshapedData(CheckpointId id, RestorePlanner planner, Reshape reshape, StagingBuffer staging) {
    this.id = id;
    this.planner = planner;
    this.reshape = reshape;
    this.staging = staging;
  }

  /**
   * Reads and verifies every needed chunk.
   *
   * @param size ranks of the group that wrote the checkpoint
   * @return this, or the reason why some data cannot be read
   * @throws RestoreException if the data contradicts the layouts
   */
  Examined examine(Member member, int size) {
    try {
      for (int saved : compared(member, size)) {
        boolean needed = reshape.shares().containsKey(saved);
        with(saved, needed, (copy, buffer) -> verify(saved, copy, buffer));
      }
      attempts.add(new Attempt(id, level, ""));
      return this;
    } catch (IOException e) {
      return new Refused(attempts, String.valueOf(e.getMessage()), retryable);
    } catch (LayoutException e) {
      throw new RestoreException("cannot restore " + id + ": " + e.getMessage());
    }
  }

  private void verify(int saved, PartialCopy copy, ByteBuffer buffer)
      throws IOException, LayoutException {
    reshape.compareReplicas(saved, copy.images());
    reshape.verify(saved, copy.images(), copy.reader(), buffer);
  }

  /** The saved ranks to read, and those whose replicas are compared. */
  private SortedSet<Integer> compared(Member member, int size) {
    SortedSet<Integer> ranks = new TreeSet<>(reshape.shares().keySet());
    if (reshape.hasReplicas()) {
      ranks.add(0);
      for (int rank = member.rank(); rank < size; rank += member.size()) {
        ranks.add(rank);
      }
    }
    return ranks;
  }

  /** Opens one saved rank's data; a rank whose data is not needed may be unreadable. */
  private void with(int saved, boolean needed, Use use) throws IOException, LayoutException {
    try (PartialCopy copy = planner.partialCopy(id, saved)) {
      if (copy.usable()) {
        try {
          use.use(copy, staging.forChunksOf(copy.images()));
        } finally {
          note(copy);
        }
      } else {
        note(copy);
        if (needed) {
          throw new IOException("no usable copy of rank " + saved);
        }
        LOG.warn("{}: the replicas of rank {} cannot be compared: {}", id, saved, attempts);
      }
    }
  }

  private void note(PartialCopy copy) {
    attempts.addAll(copy.attempts(false));
    retryable |= copy.retryable();
    if (copy.usable() && copy.level().compareTo(level) >= 0) {
      level = copy.level();
      source = copy.source();
    }
  }

  @Override
  public CheckpointId id() {
    return id;
  }

  @Override
  public List<Attempt> attempts() {
    return List.copyOf(attempts);
  }

  @Override
  public Level level() {
    return level;
  }

  @Override
  public String source() {
    return source;
  }

  @Override
  public long restore() throws IOException {
    long[] bytes = {0};
    try {
      for (int saved : reshape.shares().keySet()) {
        with(
            saved,
            true,
            (copy, buffer) ->
                bytes[0] += reshape.copy(saved, copy.images(), copy.reader(), buffer));
      }
    } catch (LayoutException e) {
      throw new IOException(e.getMessage(), e);
    }
    reshape.load();
    return bytes[0];
  }

  /** Nothing is open between two steps. */
  @Override
  public void close() {}
}
