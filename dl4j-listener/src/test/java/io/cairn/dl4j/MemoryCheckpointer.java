package io.cairn.dl4j;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.HeldCheckpoint;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/** A checkpointer whose checkpoints are byte arrays; what becomes of each can be scripted. */
final class MemoryCheckpointer implements Checkpointer {
  private final MemoryCheckpoints shared;
  private long epoch;
  private final Map<String, Region> regions = new LinkedHashMap<>();
  final Map<String, String> program = new LinkedHashMap<>();

  private final Map<String, Predicate<String>> synonyms = new LinkedHashMap<>();

  /** Entries in which the program may differ. */
  final Set<String> accepted = new HashSet<>();

  private long last = -1;
  boolean closed;

  /** The score of each iteration; NaN for none. */
  final Map<Long, Double> scores = new LinkedHashMap<>();

  private double score = Double.NaN;

  /** Checkpoints that were copied beside the training. */
  long besides;

  /** Of these, the ones whose regions changed before they were copied. */
  final List<String> torn = new ArrayList<>();

  private Runnable copies = () -> {};

  /** Whether copies end only before the next checkpoint, as those of a GPU may. */
  boolean landsLate;

  private Runnable landing = () -> {};

  /** An outcome for which nobody may wait, since it comes with the next checkpoint. */
  private static final class Landing extends CompletableFuture<Outcome> {
    @Override
    public Outcome join() {
      if (!isDone()) {
        throw new AssertionError("the training waits for a copy that a GPU orders by itself");
      }
      return super.join();
    }
  }

  /** The outcome of the copies under way. */
  private CompletableFuture<Outcome> copied = new CompletableFuture<>();

  /** How the capture of an iteration ends; may throw. */
  LongFunction<Outcome> capture = iteration -> new Outcome.Captured(0);

  /** How a seal of a captured checkpoint ends. */
  LongFunction<Outcome> seal = iteration -> new Outcome.Sealed(Level.STORE);

  MemoryCheckpointer(MemoryCheckpoints shared, long epoch) {
    this.shared = shared;
    this.epoch = epoch;
  }

  @Override
  public Member member() {
    return new Member(shared.group, 0, 1);
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public void protect(Region region, RegionOptions options) {
    if (regions.putIfAbsent(region.name(), region) != null) {
      throw new IllegalArgumentException("region " + region.name() + " is already protected");
    }
  }

  @Override
  public void describe(String name, String value, Predicate<String> same) {
    synonyms.put(name, same);
    if (program.putIfAbsent(name, value) != null) {
      throw new IllegalArgumentException("entry " + name + " is there already");
    }
  }

  @Override
  public void relocate(Region region) {
    if (regions.replace(region.name(), region) == null) {
      throw new IllegalArgumentException("region " + region.name() + " is not protected");
    }
  }

  @Override
  public void score(double ofNext) {
    score = ofNext;
  }

  @Override
  public CheckpointTicket checkpoint(long iteration) {
    if (iteration <= last) {
      throw new IllegalArgumentException("iteration " + iteration + " does not rise");
    }
    landing.run();
    copied.complete(new Outcome.Failed("the training did not wait for its copy"));
    copies = () -> {};
    last = iteration;
    scores.put(iteration, score);
    score = Double.NaN;
    Outcome outcome = capture.apply(iteration);
    CheckpointId id = new CheckpointId(shared.group, epoch, iteration);
    if (outcome instanceof Outcome.Captured) {
      Map<String, byte[]> image = new LinkedHashMap<>();
      regions.forEach((name, region) -> image.put(name, read(region)));
      shared.checkpoints.put(id, image);
      shared.programs.put(id, Map.copyOf(program));
    }
    return new Ticket(id, CompletableFuture.completedFuture(outcome), seal.apply(iteration));
  }

  /** Copies at the last moment that is allowed. */
  @Override
  public CheckpointTicket checkpointBeside(long iteration) {
    CheckpointTicket ticket = checkpoint(iteration);
    Map<String, byte[]> first = shared.checkpoints.get(ticket.id());
    if (first == null) {
      return ticket;
    }
    besides++;
    CompletableFuture<Outcome> captured = landsLate ? new Landing() : new CompletableFuture<>();
    copied = captured;
    copies =
        () -> {
          first.forEach(
              (name, bytes) -> {
                if (region(name) instanceof Region.Address span) {
                  byte[] late = read(span);
                  if (!Arrays.equals(bytes, late)) {
                    torn.add(ticket.id().label() + " " + name);
                  }
                  System.arraycopy(late, 0, bytes, 0, late.length);
                }
              });
          Outcome outcome = capture.apply(iteration);
          if (landsLate) {
            landing = () -> captured.complete(outcome);
          } else {
            captured.complete(outcome);
          }
        };
    return new Ticket(ticket.id(), captured, seal.apply(iteration));
  }

  @Override
  public void awaitCaptured() {
    Runnable left = copies;
    copies = () -> {};
    left.run();
  }

  @Override
  public CheckpointTicket end(long iteration) {
    return checkpoint(iteration);
  }

  private record Ticket(CheckpointId id, CompletableFuture<Outcome> captured, Outcome seal)
      implements CheckpointTicket {

    @Override
    public CompletableFuture<Outcome> sealed(Level level) {
      return CompletableFuture.completedFuture(
          level == Level.STORE ? seal : new Outcome.NotDue(level));
    }
  }

  @Override
  public Optional<RestoreReport> restore() {
    return shared.checkpoints.isEmpty() ? Optional.empty() : restore(shared.checkpoints.lastKey());
  }

  @Override
  public Optional<RestoreReport> restore(CheckpointId id) {
    Map<String, byte[]> image = shared.checkpoints.get(id);
    if (image == null) {
      return Optional.empty();
    }
    if (!image.keySet().equals(regions.keySet())) {
      throw new RestoreException(
          id + " holds regions " + image.keySet() + ", protected are " + regions.keySet());
    }
    image.forEach((name, bytes) -> requireSize(bytes, region(name)));
    Map<String, String> writer =
        new LinkedHashMap<>(Objects.requireNonNull(shared.programs.get(id)));
    synonyms.forEach(
        (name, same) ->
            writer.computeIfPresent(
                name, (key, there) -> same.test(there) ? program.get(key) : there));
    if (!compared(program).equals(compared(writer))) {
      throw new RestoreException(
          id + " was written by " + shared.programs.get(id) + ", this is " + program);
    }
    epoch = last < 0 ? epoch : shared.nextEpoch();
    last = id.iteration();
    image.forEach((name, bytes) -> write(region(name), bytes));
    RestoreReport.Attempt used = new RestoreReport.Attempt(id, Level.STORE, "");
    return Optional.of(new RestoreReport(id, Level.STORE, "memory", 0, List.of(used)));
  }

  private Map<String, String> compared(Map<String, String> entries) {
    Map<String, String> compared = new LinkedHashMap<>(entries);
    compared.keySet().removeAll(accepted);
    return compared;
  }

  @Override
  public Optional<RestoreReport> restoreBefore(long iteration) {
    return shared.checkpoints.keySet().stream()
        .filter(id -> id.iteration() < iteration)
        .reduce((older, newer) -> newer)
        .flatMap(this::restore);
  }

  @Override
  public void startAfresh() {}

  @Override
  public List<HeldCheckpoint> checkpoints() {
    return shared.checkpoints.descendingKeySet().stream()
        .map(id -> new HeldCheckpoint(id, List.of(Level.STORE)))
        .toList();
  }

  @Override
  public Optional<RestoreReport> load(CheckpointId id, Region... into) {
    Map<String, byte[]> image = shared.checkpoints.get(id);
    if (image == null) {
      return Optional.empty();
    }
    for (Region region : into) {
      write(region, image.getOrDefault(region.name(), new byte[0]));
    }
    return Optional.of(new RestoreReport(id, Level.STORE, "memory", 0, List.of()));
  }

  @Override
  public void close() {
    closed = true;
  }

  private Region region(String name) {
    Region region = regions.get(name);
    if (region == null) {
      throw new IllegalArgumentException("no region " + name);
    }
    return region;
  }

  private static void requireSize(byte[] bytes, Region region) {
    if (region instanceof Region.Address span && span.bytes() != bytes.length) {
      throw new RestoreException(
          String.format(
              Locale.ROOT,
              "region %s has %d bytes here and %d in the checkpoint",
              span.name(),
              span.bytes(),
              bytes.length));
    }
  }

  private static byte[] read(Region region) {
    if (region instanceof Region.Blob blob) {
      return blob.save().get().clone();
    }
    Region.Address span = (Region.Address) region;
    byte[] bytes = new byte[Math.toIntExact(span.bytes())];
    memory(span).get(bytes);
    return bytes;
  }

  private static void write(Region region, byte[] bytes) {
    if (region instanceof Region.Blob blob) {
      blob.load().accept(bytes.clone());
    } else {
      memory((Region.Address) region).put(bytes);
    }
  }

  private static BytePointer memory(Region.Address span) {
    BytePointer pointer =
        new BytePointer(
            new Pointer() {
              {
                address = span.address();
              }
            });
    return pointer.capacity(span.bytes());
  }
}
