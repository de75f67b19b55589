package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.RestoreException;
import io.cairn.RestoreReport.Attempt;
import io.cairn.cache.capture.Reshape;
import io.cairn.core.layout.LayoutException;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.StagingBuffer;
import io.cairn.engine.session.Examiner.Examined;
import io.cairn.flush.restore.PartialCopy;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.SavedPrograms;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data that one rank takes from a checkpoint of another number of ranks, or of other slices.
 * Opens one saved rank after the other, and reads the chunks that are needed twice: to verify them,
 * and when the group has agreed. Not thread-safe.
 */
final class ReshapedData implements Examined.Good {
  /*
   * Replicas
   *
   * A rank reads its replicated regions from one saved rank. All saved ranks must have had the same
   * bytes, or the ranks of the new group would disagree. The indexes show that without their data.
   * Every rank compares rank 0 with the saved ranks of its own number, modulo the size of the new
   * group. So all of them together compare each saved rank once. If a replica cannot be read, the
   * next rank's serves.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ReshapedData.class);

  private final CheckpointId id;
  private final RestorePlanner planner;
  private final Reshape reshape;
  private final Fingerprint program;
  private final StagingBuffer staging;
  private final List<Attempt> attempts;

  /** The saved rank with needed data that cannot be read; -1 if there is none. */
  private int unreadable = -1;

  private Level level;
  private String source;

  /** Whether they are of a chunk, and not of the manifests. */
  private boolean read;

  private boolean retryable;

  /** Uses one saved rank's data. */
  private interface Use {
    void use(PartialCopy copy, ByteBuffer staging) throws IOException, LayoutException;
  }

  /** Plans a rank's part, from the programs that wrote the saved ranks. */
  @FunctionalInterface
  interface Planning {
    /**
     * A plan.
     *
     * @throws RestoreException if another program wrote it, or the layouts do not allow it
     */
    Reshape plan(List<Fingerprint> writers);
  }

  private ReshapedData(
      CheckpointId id,
      RestorePlanner planner,
      Reshape reshape,
      SavedPrograms saved,
      Fingerprint program,
      StagingBuffer staging,
      List<Attempt> attempts) {
    this.attempts = attempts;
    this.level = saved.level();
    this.source = saved.source();
    this.program = program;
    this.id = id;
    this.planner = planner;
    this.reshape = reshape;
    this.staging = staging;
  }

  /**
   * Reads and verifies every chunk that a rank needs.
   *
   * @param member the reading rank
   * @param size ranks of the group that wrote the checkpoint
   * @param staging overwritten
   * @return good data, or the reason why some cannot be read
   * @throws RestoreException as the planning does, or if the data contradicts its layouts
   */
  static Examined examine(
      RestorePlanner planner,
      CheckpointId id,
      int size,
      Member member,
      Planning planning,
      StagingBuffer staging) {
    SavedPrograms saved = planner.programs(id, size);
    if (!saved.isOfAll(size)) {
      return new Refused(
          saved.attempts(),
          String.format(
              Locale.ROOT,
              "manifests at this node and at STORE name the ranks %s of %d",
              saved.byRank().keySet(),
              size),
          saved.retryable());
    }
    Reshape reshape = planning.plan(List.copyOf(saved.byRank().values()));
    LOG.info("{} takes its part of {} from {} ranks", member, id, size);
    Fingerprint own = saved.byRank().getOrDefault(member.rank(), Fingerprint.NONE);
    List<Attempt> attempts = new ArrayList<>();
    for (int more = 1; ; more++) {
      ReshapedData data = new ReshapedData(id, planner, reshape, saved, own, staging, attempts);
      Examined examined = data.examined(member, size);
      if (more == size || !reshape.hasReplicasOf(data.unreadable)) {
        return examined;
      }
      reshape = reshape.withReplicasOf((member.rank() + more) % size);
    }
  }

  private Examined examined(Member member, int size) {
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
      throw new RestoreException("cannot read " + id + ": " + e.getMessage());
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
        } catch (IOException e) {
          unreadable = saved;
          throw e;
        } finally {
          note(copy, needed);
        }
      } else {
        note(copy, needed);
        if (needed) {
          unreadable = saved;
          throw new IOException("no usable copy of rank " + saved);
        }
        LOG.warn("{}: the replicas of rank {} cannot be compared: {}", id, saved, attempts);
      }
    }
  }

  /** Of a rank whose replicas are compared alone, no chunk is read. */
  private void note(PartialCopy copy, boolean needed) {
    attempts.addAll(copy.attempts(false));
    retryable |= copy.retryable();
    if (needed && copy.usable() && (!read || copy.level().compareTo(level) >= 0)) {
      level = copy.level();
      source = copy.source();
      read = true;
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
  public Fingerprint program() {
    return program;
  }

  @Override
  public String source() {
    return source;
  }

  @Override
  public List<String> dropped() {
    return reshape.dropped();
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
