package io.cairn.cache.history;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.Level;
import io.cairn.core.session.Region;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * One rank's states by step. They lie on a device, and in files below it as far as the device has
 * no room. A stored step is there until it is discarded. The thread of the program owns a history;
 * transfers run on two threads of its own.
 *
 * <pre>{@code
 * try (History history = History.open(device, new HistorySettings(320 << 20, directory, 4L << 30))) {
 *   history.protect(Region.of("field", field));
 *   history.expect(800, 4 << 20);
 *   for (long i = 0; i < 800; i++) { history.store(i); forward(i); }
 *   for (long i = 799; i >= 0; i--) { history.restore(i, true); reverse(i); }
 * }
 * }</pre>
 */
public final class History implements AutoCloseable {
  /** The largest number of a step; the index has 8 bytes for each step below the largest one. */
  public static final long MOST_STEPS = 1_000_000_000;

  private final StateMemory memory;
  private final Segments files;
  private final Bypass bypass;
  private final ProgramMemory program;
  private final Ledger ledger;
  private final Movers movers;
  private boolean closed;

  private History(
      DeviceMemory device, StateMemory memory, Segments files, HistorySettings settings) {
    this.memory = memory;
    this.files = files;
    bypass = new Bypass(device, files, settings.chunkBytes());
    program = new ProgramMemory(device);
    ledger = new Ledger(settings);
    movers = Movers.start(ledger, memory, files);
  }

  /**
   * Allocates the memory. Files are made when they are needed, in a directory that no other history
   * uses.
   *
   * @param device outlives the history
   * @throws IOException naming the device or the directory, if it has no room
   */
  public static History open(DeviceMemory device, HistorySettings settings) throws IOException {
    Segments files = new Segments(settings);
    StateMemory mapped = MappedMemory.open(device, settings);
    StateMemory memory = mapped == null ? CopiedMemory.open(device, settings) : mapped;
    return new History(device, memory, files, settings);
  }

  /**
   * Adds a region to every later store and restore.
   *
   * @param region a span of memory; no blob, and none that moves
   * @throws IllegalArgumentException if there is one of that name, or the device does not reach it
   */
  public void protect(Region region) {
    program.protect(region);
  }

  /**
   * Adds a region of which only the first bytes count, such as a compressed state. A restore writes
   * as many bytes as were stored.
   *
   * @param bytesNow how many; asked at each store
   * @throws IllegalArgumentException as the other
   */
  public void protect(Region region, LongSupplier bytesNow) {
    program.protect(region, bytesNow);
  }

  /**
   * Says what is to come. States that will fit to the end are not written to files then. Wrong
   * numbers cost time only.
   *
   * @param steps stores from now on
   * @param bytesPerStep about how long each is
   */
  public void expect(long steps, long bytesPerStep) {
    ledger.expect(steps, bytesPerStep);
  }

  /** Says in which order states will be read; {@link ReadOrder#REVERSE} at first. */
  public void hint(ReadOrder order) {
    ledger.order(order);
  }

  /**
   * Keeps the regions as a step. One copy, with its checksum. Waits only while no place can be
   * freed. A step that is stored again replaces its older state.
   *
   * @param step 0 to {@link #MOST_STEPS}
   * @throws HistoryException if there is no room, or the device fails; the older state is gone then
   */
  public void store(long step) {
    requireOpen();
    requireStep(step);
    State state = ledger.begin(step, program.sizes(), program.count());
    boolean copied = false;
    try {
      memory.copyIn(program, state);
      copied = true;
    } catch (IOException e) {
      throw new HistoryException("step " + step + " was not stored: " + e.getMessage(), e);
    } finally {
      if (copied) {
        ledger.stored(state);
      } else {
        ledger.failed(state);
      }
    }
  }

  /**
   * Puts a step's bytes back into the regions. Each chunk is verified before it is written there.
   *
   * @param last whether the step is dropped afterwards
   * @return bytes restored
   * @throws HistoryException naming the step, if it is not stored or cannot be read; the regions'
   *     content is undefined then, and the step stays
   */
  public long restore(long step, boolean last) {
    requireOpen();
    requireStep(step);
    State state = ledger.beginRead(step);
    boolean read = false;
    try {
      program.requireFit(state);
      copyOut(state);
      read = true;
      return state.totalBytes();
    } catch (IOException e) {
      throw new HistoryException("step " + step + " was not restored: " + e.getMessage(), e);
    } finally {
      ledger.endRead(state, read, read && last);
    }
  }

  private void copyOut(State state) throws IOException {
    if (!state.onDevice) {
      bypass.copyOut(state, program);
      return;
    }
    try {
      memory.copyOut(state, program);
    } catch (IOException e) {
      if (!state.inFile) {
        throw e;
      }
      bypass.copyOut(state, program);
    }
  }

  /** Drops a step; does nothing if it is not stored. */
  public void discard(long step) {
    requireOpen();
    requireStep(step);
    ledger.drop(step);
  }

  /** Where a step lies now; empty if it is not stored. */
  public Set<Level> where(long step) {
    requireStep(step);
    synchronized (ledger) {
      State state = ledger.find(step);
      Set<Level> levels = EnumSet.noneOf(Level.class);
      if (state != null && state.onDevice) {
        levels.add(Level.DEVICE);
      }
      if (state != null && state.inFile) {
        levels.add(Level.NODE);
      }
      return levels;
    }
  }

  /** Counts since it was opened. */
  public HistoryStats stats() {
    return ledger.stats();
  }

  static void requireStep(long step) {
    if (step < 0 || step > MOST_STEPS) {
      throw new IllegalArgumentException(
          "step %d; allowed are 0 to %d".formatted(step, MOST_STEPS));
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the history is closed");
    }
  }

  /** Waits for the transfers under way, then removes all states. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    movers.close();
    memory.close();
    try {
      files.close();
      files.delete();
    } catch (IOException e) {
      throw new UncheckedIOException("the files of a history were not removed", e);
    }
  }
}
