package io.cairn.testkit;

import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreErrors;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import io.cairn.flush.store.StorePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One process's access to a {@link CrashingMedium}. By default it is a correct store in memory. On
 * request it is the worst one that the {@link CheckpointStore} contract allows. The behaviour
 * follows from the seeds and the order of the calls. Thread-safe.
 *
 * <p>Its knobs: {@link #failNext} gives a fault to the next call of a kind, {@link #failRandomly}
 * to every call with a probability, {@link #kill} and {@link #killAfter} end the process. For
 * several processes, open several stores on one medium; power loss, damage, lack of space and late
 * effects are the medium's.
 */
public final class CrashingStore implements CheckpointStore {
  /** A way for a call to go wrong. Whichever it was, its caller sees an {@link IOException}. */
  public enum Fault {
    /** It has no effect. */
    REFUSED,
    /** It has its whole effect, but the answer is lost. */
    LOST_REPLY,
    /** It has no effect until {@link CrashingMedium#applyLate}. */
    LATE,
    /** A part of the bytes is written. */
    TORN
  }

  /** The kinds of calls. */
  public enum Call {
    /** {@link CheckpointStore#create}. */
    CREATE,
    /** {@link StoreOutput#write}. */
    WRITE,
    /** {@link StoreOutput#sync}. */
    SYNC,
    /** {@link CheckpointStore#publish} and {@link CheckpointStore#replace}. */
    PUBLISH,
    /** {@link CheckpointStore#open}. */
    OPEN,
    /** {@link StoreInput#readFully}. */
    READ,
    /** {@link CheckpointStore#list}. */
    LIST,
    /** {@link CheckpointStore#delete} and {@link CheckpointStore#deleteDirectory}. */
    DELETE;

    /** The faults that this call may have. */
    public List<Fault> faults() {
      return switch (this) {
        case CREATE, PUBLISH, DELETE -> List.of(Fault.REFUSED, Fault.LOST_REPLY, Fault.LATE);
        case WRITE -> List.of(Fault.REFUSED, Fault.LOST_REPLY, Fault.TORN);
        case SYNC -> List.of(Fault.REFUSED, Fault.LOST_REPLY);
        case OPEN, READ, LIST -> List.of(Fault.REFUSED);
      };
    }

    boolean changesSomething() {
      return this != OPEN && this != READ && this != LIST;
    }
  }

  private final CrashingMedium medium;
  private final StoreErrors errors;
  private final SplittableRandom random;
  private final Map<Call, Fault> next = new EnumMap<>(Call.class);
  private final List<CrashingFile> beingWritten = new ArrayList<>();
  private double probability;
  private long callsLeft = Long.MAX_VALUE;
  private boolean killed;

  /** A store on a medium of its own. */
  public CrashingStore(long seed) {
    this(new CrashingMedium(seed), seed);
  }

  /** One more process's access to a medium. */
  public CrashingStore(CrashingMedium medium, long seed) {
    this.medium = medium;
    this.errors = medium.errors();
    this.random = new SplittableRandom(seed);
  }

  /** The medium, with its own knobs. */
  public CrashingMedium medium() {
    return medium;
  }

  /**
   * Gives a fault to the next call of a kind.
   *
   * @throws IllegalArgumentException if calls of that kind cannot have it
   */
  public void failNext(Call call, Fault fault) {
    if (!call.faults().contains(fault)) {
      throw new IllegalArgumentException(call + " cannot be " + fault + ", only " + call.faults());
    }
    synchronized (medium) {
      next.put(call, fault);
    }
  }

  /** Gives every call, with this probability, one of the faults that it can have; 0 heals. */
  public void failRandomly(double newProbability) {
    synchronized (medium) {
      probability = newProbability;
    }
  }

  /**
   * Lets this many calls pass and kills the process in the one after them, whose effect is as
   * uncertain as that of any fault.
   */
  public void killAfter(long calls) {
    synchronized (medium) {
      callsLeft = calls;
    }
  }

  /**
   * Kills the process: every further call is a {@link ProcessKilledException}. Bytes that it wrote
   * without a sync into files it had not closed may be lost.
   */
  public void kill() {
    synchronized (medium) {
      killed = true;
      beingWritten.forEach(file -> file.loseBuffered(random));
      beingWritten.clear();
    }
  }

  @Override
  public String describe() {
    return errors.store();
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    StorePath.require(path);
    return perform(Call.CREATE, path, () -> new Output(path, medium.create(path)));
  }

  @Override
  public void publish(String from, String to) throws IOException {
    StorePath.requireSiblings(from, to);
    perform(Call.PUBLISH, to, () -> medium.publish(from, to));
  }

  @Override
  public boolean replace(String from, String to) throws IOException {
    StorePath.requireSiblings(from, to);
    return perform(Call.PUBLISH, to, () -> medium.replace(from, to));
  }

  @Override
  public StoreInput open(String path) throws IOException {
    StorePath.require(path);
    return perform(Call.OPEN, path, () -> new Input(path, medium.find(path)));
  }

  @Override
  public List<StoreEntry> list(String directory) throws IOException {
    StorePath.requireDirectory(directory);
    return perform(Call.LIST, directory, () -> medium.list(directory));
  }

  @Override
  public boolean delete(String path) throws IOException {
    StorePath.require(path);
    return perform(Call.DELETE, path, () -> medium.delete(path));
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    StorePath.require(directory);
    return perform(Call.DELETE, directory, () -> medium.deleteDirectory(directory));
  }

  @Override
  public void close() {}

  private <T> T perform(Call call, String path, CrashingMedium.Operation<T> operation)
      throws IOException {
    return perform(call, path, operation, operation);
  }

  /**
   * Carries out a call, or the part of it that its fault permits.
   *
   * @param part effect under {@link Fault#TORN}
   */
  private <T> T perform(
      Call call,
      String path,
      CrashingMedium.Operation<T> operation,
      CrashingMedium.Operation<T> part)
      throws IOException {
    synchronized (medium) {
      if (killed) {
        throw new ProcessKilledException(call + " of " + errors.at(path) + " by a dead process");
      }
      medium.requireReadable();
      if (call.changesSomething()) {
        medium.requireWritable(path);
      }
      boolean dies = callsLeft-- <= 0;
      Fault fault = fault(call, dies);
      if (fault == null) {
        return operation.run();
      }
      leave(fault, operation, part);
      if (dies) {
        kill();
        throw new ProcessKilledException("killed in " + call + " of " + errors.at(path));
      }
      throw new IOException("injected fault " + fault + " in " + call + " of " + errors.at(path));
    }
  }

  private @Nullable Fault fault(Call call, boolean dies) {
    Fault scripted = next.remove(call);
    if (scripted != null) {
      return scripted;
    }
    return dies || (probability > 0 && random.nextDouble() < probability)
        ? call.faults().get(random.nextInt(call.faults().size()))
        : null;
  }

  private <T> void leave(
      Fault fault, CrashingMedium.Operation<T> operation, CrashingMedium.Operation<T> part) {
    try {
      switch (fault) {
        case REFUSED -> {}
        case LOST_REPLY -> operation.run();
        case LATE -> medium.later(operation);
        case TORN -> part.run();
      }
    } catch (IOException e) {
      return; // The caller gets no answer, this one neither.
    }
  }

  private final class Output implements StoreOutput {
    private final String path;
    private final CrashingFile file;
    private final int crashes = medium.crashes();
    private boolean closed;

    Output(String path, CrashingFile file) {
      this.path = path;
      this.file = file;
      beingWritten.add(file);
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      requireOpen();
      ByteBuffer part = bytes.duplicate();
      part.limit(part.position() + (part.hasRemaining() ? random.nextInt(part.remaining()) : 0));
      perform(Call.WRITE, path, () -> append(bytes), () -> append(part));
    }

    private boolean append(ByteBuffer bytes) throws IOException {
      medium.append(path, file, bytes);
      return true;
    }

    @Override
    public long position() {
      return file.length();
    }

    @Override
    public void sync() throws IOException {
      requireOpen();
      perform(
          Call.SYNC,
          path,
          () -> {
            file.sync();
            return true;
          });
    }

    private void requireOpen() throws IOException {
      if (closed || crashes != medium.crashes()) {
        throw new IOException(errors.at(path) + (closed ? " is closed" : ": lost in a crash"));
      }
    }

    @Override
    public void close() {
      synchronized (medium) {
        closed = true;
        beingWritten.remove(file);
      }
    }
  }

  private final class Input implements StoreInput {
    private final String path;
    private final CrashingFile file;
    private final int length;

    Input(String path, CrashingFile file) {
      this.path = path;
      this.file = file;
      this.length = file.length();
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public void readFully(long position, ByteBuffer into) throws IOException {
      errors.requireInside(path, position, into.remaining(), length);
      perform(Call.READ, path, () -> read((int) position, into));
    }

    private boolean read(int position, ByteBuffer into) throws IOException {
      if (position > file.length() - into.remaining()) {
        throw errors.shorter(path, file.length(), length);
      }
      file.read(position, into);
      return true;
    }

    @Override
    public void close() {}
  }
}
