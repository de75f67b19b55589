package io.cairn.training;

import io.cairn.Certificate;
import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.RestoreException;
import io.cairn.StoredCheckpoints;
import io.cairn.StoredCheckpoints.Stored;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies checkpoints at STORE by replay: restores the predecessor, trains the iterations between,
 * and compares the SHA-256 of every region that the program protects. A process beside the training
 * does it:
 *
 * <pre>{@code
 * Certifier certifier = new Certifier(cairn.stored("fold-1"), program);
 * certifier.certifyNewest();
 * }</pre>
 *
 * <p>It finds what no checksum can: state that the capture forgets, and memory that was corrupted
 * before a capture. A certificate says that the way from the predecessor is right, so a fault in
 * the predecessor itself shows in that one's own replay. A chain of certificates from the start of
 * the training on has none.
 *
 * <p>The program is that of the training: the same network, data, listeners and settings, the same
 * number of OpenMP threads, and a processor that rounds alike. A replay does not know what the
 * program did otherwise on the way, such as a last resort of a {@link TroubleGuard}: that
 * checkpoint is refuted. Groups of several ranks exchange data and cannot be replayed one by one.
 * Replays take the processor time of the training. Not thread-safe.
 */
public final class Certifier {
  private static final Logger LOG = LoggerFactory.getLogger(Certifier.class);
  private static final long PAUSE_NANOS = 1_000_000_000;

  private final StoredCheckpoints stored;
  private final ReplayedProgram program;

  /** Replays of a watch that broke off. */
  private long failures;

  /**
   * A certifier.
   *
   * @param program the whole training
   * @throws IllegalArgumentException if the group has several ranks
   */
  public Certifier(StoredCheckpoints stored, ReplayedProgram program) {
    if (stored.member().size() > 1) {
      throw new IllegalArgumentException(
          stored.member() + ": the ranks of a coupled group cannot be replayed one by one");
    }
    this.stored = stored;
    this.program = program;
  }

  /**
   * Replays the newest checkpoint without a certificate whose predecessor is at STORE. That of
   * iteration 0 needs none.
   *
   * @return empty if there is no such checkpoint
   * @throws RestoreException if STORE cannot be read or written, or the checkpoint lacks a region
   *     that the training protects
   */
  public Optional<Verdict> certifyNewest() {
    return certifyNewest(any -> true);
  }

  private Optional<Verdict> certifyNewest(Predicate<Stored> wanted) {
    List<Stored> newestFirst = stored.checkpoints();
    for (int k = 0; k < newestFirst.size(); k++) {
      Stored target = newestFirst.get(k);
      boolean oldest = k == newestFirst.size() - 1;
      if (target.certificate().isEmpty()
          && (!oldest || target.id().iteration() == 0)
          && wanted.test(target)) {
        return Optional.of(certify(newestFirst, k));
      }
    }
    return Optional.empty();
  }

  /**
   * Replays one checkpoint, with a certificate or without. One without an older one at STORE is
   * replayed from the start of the training.
   *
   * @throws IllegalArgumentException if it is not at STORE, or does not count
   * @throws RestoreException if STORE cannot be read or written, or the checkpoint lacks a region
   *     that the training protects
   */
  public Verdict certify(CheckpointId id) {
    List<Stored> newestFirst = stored.checkpoints();
    for (int k = 0; k < newestFirst.size(); k++) {
      if (newestFirst.get(k).id().equals(id)) {
        return certify(newestFirst, k);
      }
    }
    throw new IllegalArgumentException(id + " is no checkpoint at STORE that counts");
  }

  /**
   * Certifies one checkpoint of each {@code every} iterations while a training writes them, the
   * newest of those that are due. Before each replay it waits until a processor is idle for each
   * OpenMP thread, by the machine's load of the last minute. A store that fails is asked again.
   *
   * @param every such as the setting {@code certify.every}; 0 returns at once
   * @param goOn asked about once a second between replays; false ends the watch
   * @param each receives every verdict
   */
  public void watch(long every, BooleanSupplier goOn, Consumer<Verdict> each) {
    watch(every, goOn, each, this::isIdle, () -> LockSupport.parkNanos(PAUSE_NANOS));
  }

  /** Like the other, with another look at the load and another pause. */
  void watch(
      long every,
      BooleanSupplier goOn,
      Consumer<Verdict> each,
      BooleanSupplier idle,
      Runnable pause) {
    long next = 0;
    while (every > 0 && goOn.getAsBoolean()) {
      Optional<Verdict> verdict = idle.getAsBoolean() ? certifyDue(next) : Optional.empty();
      if (verdict.isPresent()) {
        each.accept(verdict.get());
        next = (verdict.get().id().iteration() / every + 1) * every;
      } else {
        pause.run();
      }
    }
  }

  /** The newest one, if it is of this iteration or a later one. */
  private Optional<Verdict> certifyDue(long iteration) {
    try {
      return certifyNewest(stored -> stored.id().iteration() >= iteration);
    } catch (RestoreException e) {
      failures++;
      if (Long.bitCount(failures) == 1) {
        LOG.warn(
            "{}: nothing was certified, time {}; it is tried again", stored.member(), failures, e);
      }
      return Optional.empty();
    }
  }

  private boolean isIdle() {
    OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
    return machine.getSystemLoadAverage() + program.threads() <= machine.getAvailableProcessors();
  }

  private Verdict certify(List<Stored> newestFirst, int index) {
    Optional<Stored> from =
        index + 1 < newestFirst.size() ? Optional.of(newestFirst.get(index + 1)) : Optional.empty();
    Stored target = newestFirst.get(index);
    Replay replay = new Replay(stored, from, target, program);
    try {
      program.run(replay);
    } catch (Replay.ReachedException reached) {
      LOG.debug("{} was replayed", target.id());
    }
    Verdict verdict = judge(replay, from, target);
    if (verdict instanceof Verdict.Refuted refuted) {
      LOG.error(
          "{}: a replay from {} ended in other bytes: {}",
          target.id(),
          from.map(start -> start.id().label()).orElse("the start"),
          refuted.differences());
    } else if (verdict instanceof Verdict.Undecided undecided) {
      LOG.warn("{} was replayed in vain: {}", target.id(), undecided.reason());
    } else {
      LOG.info("{} is certified", target.id());
    }
    return verdict;
  }

  private Verdict judge(Replay replay, Optional<Stored> from, Stored target) {
    if (replay.lostCount()) {
      return new Verdict.Refuted(
          target.id(), from.map(Stored::id), List.of(ReplayedProgram.STATE + ": iteration"));
    }
    if (replay.reached().isEmpty()) {
      return new Verdict.Undecided(
          target.id(), "the replayed training ended without iteration " + target.id().iteration());
    }
    Map<String, byte[]> blobs = new HashMap<>();
    Optional<SortedMap<String, Digest>> saved = replay.saved(blobs);
    if (saved.isEmpty()) {
      return new Verdict.Undecided(target.id(), "it is gone from STORE");
    }
    byte[] state = blobs.get(ReplayedProgram.STATE);
    if (state == null) {
      return new Verdict.Undecided(
          target.id(), "it has no blob " + ReplayedProgram.STATE + ", which tells its threads");
    }
    int threads = program.threads();
    int trained = program.threads(state);
    if (trained != threads) {
      return new Verdict.Undecided(
          target.id(),
          String.format(
              Locale.ROOT,
              "it was computed with %d OpenMP threads, this process uses %d: set OMP_NUM_THREADS",
              trained,
              threads));
    }
    List<String> differences = differences(replay, saved.get(), state);
    if (!differences.isEmpty()) {
      return new Verdict.Refuted(target.id(), from.map(Stored::id), differences);
    }
    return certified(from, target, saved.get(), threads);
  }

  private List<String> differences(Replay replay, SortedMap<String, Digest> saved, byte[] state) {
    List<String> differences = new ArrayList<>();
    replay
        .reached()
        .forEach(
            (name, digest) -> {
              if (digest.equals(saved.get(name))) {
                return;
              }
              if (name.equals(ReplayedProgram.STATE)) {
                program
                    .differences(replay.blob(name), state)
                    .forEach(part -> differences.add(name + ": " + part));
              } else {
                differences.add(name);
              }
            });
    return differences;
  }

  private Verdict certified(
      Optional<Stored> from, Stored target, SortedMap<String, Digest> regions, int threads) {
    Certificate certificate =
        new Certificate(
            target.id(),
            target.manifest(),
            from.map(
                start ->
                    new Certificate.Predecessor(
                        start.id(), start.manifest(), start.certificate().isPresent())),
            regions,
            new TreeMap<>(
                Map.of(
                    "openmp-threads",
                    Integer.toString(threads),
                    "processor",
                    System.getProperty("os.arch", "unknown"),
                    "java",
                    System.getProperty("java.version", "unknown"))));
    return stored.certify(certificate)
        ? new Verdict.Certified(certificate)
        : new Verdict.Undecided(target.id(), "it is gone from STORE");
  }
}
