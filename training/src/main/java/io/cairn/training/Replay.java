package io.cairn.training;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Digest;
import io.cairn.HeldCheckpoint;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.MirroredMemory;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.StoredCheckpoints;
import io.cairn.StoredCheckpoints.Stored;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The checkpointer of a training that repeats the way from one checkpoint to the next. It restores
 * the first one, keeps nothing, and ends the training at the second one, whose digests it takes.
 * Not thread-safe.
 */
final class Replay implements Checkpointer {
  private final StoredCheckpoints stored;
  private final Optional<Stored> from;
  private final Stored target;
  private final ReplayedProgram program;
  private final Map<String, Region> regions = new LinkedHashMap<>();
  private final Map<String, byte[]> blobs = new HashMap<>();
  private final SortedMap<String, Digest> reached = new TreeMap<>();

  /** The first iteration after the restore; none before the training begins. */
  private OptionalLong first = OptionalLong.empty();

  /** Ends the training; no failure. */
  static final class ReachedException extends CancellationException {
    private static final long serialVersionUID = 1;
  }

  /**
   * A replay.
   *
   * @param from where it begins; empty for the start of the training
   */
  Replay(StoredCheckpoints stored, Optional<Stored> from, Stored target, ReplayedProgram program) {
    this.stored = stored;
    this.from = from;
    this.target = target;
    this.program = program;
  }

  @Override
  public Member member() {
    return stored.member();
  }

  @Override
  public long epoch() {
    return target.id().epoch();
  }

  @Override
  public void protect(Region region, RegionOptions options) {
    if (!(region instanceof Region.Blob || hasAddress(region))) {
      throw new IllegalArgumentException(
          "region "
              + region.name()
              + " cannot be replayed: give it by its address, such as by NdArrays.region, or as a"
              + " blob");
    }
    if (regions.putIfAbsent(region.name(), region) != null) {
      throw new IllegalArgumentException("region " + region.name() + " is already protected");
    }
  }

  /** Whether its bytes are in host memory, or can be brought there. */
  private static boolean hasAddress(Region region) {
    return region instanceof Region.Address
        || (region instanceof Region.OnDevice resident
            && resident.owner() instanceof MirroredMemory);
  }

  /** The replay needs the program that wrote the checkpoint. */
  @Override
  public void describe(String name, String value, Predicate<String> same) {
    String saved = target.program().get(name);
    if (saved != null && !saved.equals(value) && !same.test(saved)) {
      throw new RestoreException(
          "%s was written by a program whose %s is %s, here it is %s: replay with the same program"
              .formatted(target.id(), name, saved, value));
    }
  }

  @Override
  public void relocate(Region region) {
    if (regions.replace(region.name(), region) == null) {
      throw new IllegalArgumentException("no region " + region.name() + " is protected");
    }
  }

  @Override
  public void score(double ofNext) {
    // nothing is kept
  }

  @Override
  public CheckpointTicket checkpoint(long iteration) {
    if (first.isEmpty()) {
      first = OptionalLong.of(iteration);
    }
    if (iteration < target.id().iteration()) {
      return new Passed(new CheckpointId(member().group(), epoch(), iteration));
    }
    if (iteration == target.id().iteration()) {
      regions.values().forEach(region -> reached.put(region.name(), digest(region)));
    }
    throw new ReachedException();
  }

  private Digest digest(Region region) {
    if (region instanceof Region.Blob blob) {
      byte[] bytes = blob.save().get().clone();
      blobs.put(region.name(), bytes);
      return Digest.of(bytes);
    }
    return digestOfMemory(region);
  }

  private Digest digestOfMemory(Region region) {
    if (region instanceof Region.Address span) {
      return program.digest(span.address(), span.bytes());
    } else if (region instanceof Region.OnDevice resident
        && resident.owner() instanceof MirroredMemory memory) {
      memory.bringTo(MirroredMemory.Side.HOST);
      return program.digest(memory.hostAddress(), resident.bytes());
    }
    throw new IllegalStateException("no such region is protected: " + region.name());
  }

  @Override
  public CheckpointTicket end(long iteration) {
    if (from.isPresent() && from.get().id().iteration() == iteration) {
      // a training that has ended there keeps its end once more
      return new Passed(new CheckpointId(member().group(), epoch(), iteration));
    }
    return checkpoint(iteration);
  }

  private record Passed(CheckpointId id) implements CheckpointTicket {
    @Override
    public CompletableFuture<Outcome> captured() {
      return CompletableFuture.completedFuture(new Outcome.Captured(0));
    }

    @Override
    public CompletableFuture<Outcome> sealed(Level level) {
      return CompletableFuture.completedFuture(new Outcome.NotDue(level));
    }
  }

  @Override
  public Optional<RestoreReport> restore() {
    if (from.isEmpty()) {
      return Optional.empty();
    }
    CheckpointId id = from.get().id();
    Optional<RestoreReport> report = stored.load(id, List.copyOf(regions.values()));
    if (report.isEmpty()) {
      throw new RestoreException(id + " is gone from STORE");
    }
    return report;
  }

  /** The digests at the target; empty if the training did not reach it. */
  SortedMap<String, Digest> reached() {
    return reached;
  }

  /** Whether the training counts iterations again that its restore had counted. */
  boolean lostCount() {
    return from.isPresent()
        && first.isPresent()
        && first.getAsLong() <= from.get().id().iteration();
  }

  /** The bytes of a blob at the target. */
  byte[] blob(String name) {
    return blobs.getOrDefault(name, new byte[0]);
  }

  /**
   * The digests of the checkpoint itself; overwrites the replayed memory.
   *
   * @param into receives the bytes of the blobs
   * @return empty if the checkpoint is gone
   */
  Optional<SortedMap<String, Digest>> saved(Map<String, byte[]> into) {
    Collection<Region> wanted = new ArrayList<>();
    for (Region region : regions.values()) {
      wanted.add(
          region instanceof Region.Blob blob
              ? Region.of(blob.name(), blob.save(), bytes -> into.put(blob.name(), bytes))
              : region);
    }
    SortedMap<String, Digest> saved = new TreeMap<>();
    return stored
        .load(target.id(), List.copyOf(wanted))
        .map(
            report -> {
              into.forEach((name, bytes) -> saved.put(name, Digest.of(bytes)));
              for (Region region : regions.values()) {
                if (hasAddress(region)) {
                  saved.put(region.name(), digestOfMemory(region));
                }
              }
              return saved;
            });
  }

  @Override
  public Optional<RestoreReport> restore(CheckpointId id) {
    throw rollBack();
  }

  @Override
  public Optional<RestoreReport> restoreBefore(long iteration) {
    throw rollBack();
  }

  @Override
  public void startAfresh() {
    throw new UnsupportedOperationException("a replay begins with a checkpoint");
  }

  private static UnsupportedOperationException rollBack() {
    return new UnsupportedOperationException("a replay goes forward only");
  }

  @Override
  public List<HeldCheckpoint> checkpoints() {
    return List.of(new HeldCheckpoint(target.id(), List.of(Level.STORE)));
  }

  @Override
  public Optional<RestoreReport> load(CheckpointId id, Region... into) {
    return stored.load(id, List.of(into));
  }

  @Override
  public void close() {
    // nothing is open
  }
}
