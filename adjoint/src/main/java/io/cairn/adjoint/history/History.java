package io.cairn.adjoint.history;

import io.cairn.Level;
import io.cairn.Region;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.OpenParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One rank's states by step. They lie on a device, and below it as far as the device has no room:
 * in host memory, if there is some, in files, and in a store, if there is one. A stored step is
 * there until it is discarded. The thread of the program owns a history; transfers run on threads
 * of its own, two for each place below the device.
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

  private final DeviceMemory device;
  private final Storage storage;
  private final StateMemory memory;
  private final StagedCopy bypass;
  private final RegionSet program;
  private final Ledger ledger;
  private final Movers movers;
  private final @Nullable PeerMember member;

  /** Whether files stay when it is closed. */
  private final boolean isKept;

  /** The device that it opened itself. */
  private @Nullable DeviceMemory own;

  private boolean closed;

  private History(
      HistoryPlaces places, HistorySettings settings, Storage storage, boolean resumes) {
    device = places.device;
    this.storage = storage;
    memory = storage.memory();
    bypass = new StagedCopy(device, ByteBuffer.allocateDirect(settings.chunkBytes()));
    program = new RegionSet(device);
    ledger = new Ledger(settings, storage.rooms());
    storage.rooms().forEach(room -> ledger.found(room, room.shelf.found()));
    isKept = resumes;
    movers = new Movers(ledger, storage, settings.chunkBytes());
    member = storage.join(ledger);
    movers.start();
  }

  private static History open(HistoryPlaces places, HistorySettings settings, boolean resumes)
      throws IOException {
    try (OpenParts open = new OpenParts()) {
      Storage storage = open.add(new Storage(places, settings, resumes));
      return open.keep(new History(places, settings, storage, resumes));
    }
  }

  /** A history on a device and in files. */
  public static History open(DeviceMemory device, HistorySettings settings) throws IOException {
    return open(HistoryPlaces.on(device), settings);
  }

  /**
   * Allocates the memories. Files are made when they are needed, in a directory that no other
   * history uses.
   *
   * @param places outlive the history
   * @throws IOException naming the memory or the directory, if it has no room, or another history
   *     has the directory, or left states there that {@link #resume} finds
   */
  public static History open(HistoryPlaces places, HistorySettings settings) throws IOException {
    return open(places, settings, false);
  }

  /** Like the other, on a device and in files. */
  public static History resume(DeviceMemory device, HistorySettings settings) throws IOException {
    return resume(HistoryPlaces.on(device), settings);
  }

  /**
   * Like the other, on memory of this machine that the history opens and closes.
   *
   * @param memory a directory in shared memory, such as one in /dev/shm; made if missing
   */
  public static History resume(Path memory, HistorySettings settings) throws IOException {
    try (OpenParts open = new OpenParts()) {
      DeviceMemory device =
          open.add(SharedMemoryDevice.open(memory, memory, settings.deviceBytes()));
      History history = resume(device, settings);
      history.own = device;
      return open.keep(history);
    }
  }

  /**
   * Like {@link #open}, but the states in files outlive the process. They are those of an earlier
   * process with the same settings and directory that was killed. {@link #close} leaves them there,
   * {@link #delete} removes them.
   */
  public static History resume(HistoryPlaces places, HistorySettings settings) throws IOException {
    return open(places, settings, true);
  }

  /**
   * Adds a region to the default set.
   *
   * @param region a span of memory; no blob, and none that moves
   * @throws IllegalArgumentException if there is one of that name, or the device does not reach it
   */
  public void protect(Region region) {
    program.protect(region);
  }

  /** A set of regions beside the default one, empty at first, for states of another kind. */
  public RegionSet regions() {
    return new RegionSet(device);
  }

  /**
   * Says what is to come. States that will fit to the end are not written below the device then.
   * Wrong numbers cost time only.
   *
   * @param steps stores from now on
   * @param bytesPerStep about how long each is
   */
  public void expect(long steps, long bytesPerStep) {
    ledger.expect(steps, bytesPerStep);
    if (member != null) {
      member.report();
    }
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
    store(step, program);
  }

  private State begin(long step, RegionSet regions) {
    try {
      return ledger.begin(step, regions.sizes(), regions.count());
    } catch (HistoryException e) {
      // an interruption says nothing about room
      if (member == null || Thread.currentThread().isInterrupted() || !member.recall()) {
        throw e;
      }
      return ledger.begin(step, regions.sizes(), regions.count());
    }
  }

  /** Like the other, of these regions. */
  public void store(long step, RegionSet regions) {
    requireOpen();
    requireStep(step);
    State state = begin(step, regions);
    boolean copied = false;
    try {
      memory.copyIn(regions, state);
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
    return restore(step, program, last);
  }

  /** Like the other, of the regions with which the step was stored. */
  public long restore(long step, RegionSet regions, boolean last) {
    requireOpen();
    requireStep(step);
    State state = ledger.beginRead(step);
    boolean read = false;
    try {
      regions.requireFit(state);
      copyOut(state, regions);
      read = true;
      return state.totalBytes();
    } catch (IOException e) {
      throw new HistoryException("step " + step + " was not restored: " + e.getMessage(), e);
    } finally {
      ledger.endRead(state, read, read && last);
    }
  }

  private void copyOut(State state, RegionSet regions) throws IOException {
    if (!state.onDevice) {
      bypass.copyOut(state, regions);
      return;
    }
    try {
      memory.copyOut(state, regions);
    } catch (IOException e) {
      ledger.awaitStill(state);
      if (!state.isBelow) {
        throw e;
      }
      bypass.copyOut(state, regions);
    }
  }

  /** Drops a step; does nothing if it is not stored. */
  public void discard(long step) {
    requireOpen();
    requireStep(step);
    ledger.drop(step);
  }

  /**
   * Like {@link #discard}, for a step that cannot be read: a later process does not find it in the
   * files either. In a store it stays until its object goes.
   *
   * @throws HistoryException if the files cannot be written; the step stays
   */
  public void forget(long step) {
    requireOpen();
    requireStep(step);
    State state = ledger.find(step);
    Shelf shelf = state == null ? null : ledger.shelfOf(state);
    if (state != null && shelf != null) {
      try {
        shelf.forget(state); // before its chunks are free for others
      } catch (IOException e) {
        throw new HistoryException("step " + step + " was not forgotten", e);
      }
    }
    ledger.drop(step);
  }

  /**
   * Drops all steps, and what earlier processes left: none of it is found after a kill. To be
   * called where another program begins in the same places.
   *
   * @throws HistoryException if files or objects cannot be removed; they may be found again
   */
  public void clear() {
    requireOpen();
    ledger.dropAll();
    try {
      storage.clear();
    } catch (IOException e) {
      throw new HistoryException("the states of an earlier run were not removed", e);
    }
  }

  /**
   * Names the run of the program, to which all states belong that are stored from now on. States of
   * other runs, which an earlier process left under the same steps, are dropped. Those that this
   * process stored stay.
   */
  public void takeOver(UUID run) {
    requireOpen();
    ledger.takeOver(run);
  }

  /**
   * Writes a step to the files soon, or to the store if they have no room, whether there is room
   * above or not. Does nothing if it is not stored.
   */
  public void secure(long step) {
    requireOpen();
    requireStep(step);
    ledger.secure(step);
  }

  /**
   * Marks a moment to which the program may return after a kill. The bytes in the files are not
   * overwritten before {@link #passed}, unless room is short.
   *
   * @return its number, which rises
   */
  public long mark() {
    return ledger.mark();
  }

  /** The program never returns to a moment before that mark. Thread-safe. */
  public void passed(long mark) {
    ledger.passed(mark);
  }

  /** All stored steps, in rising order. */
  public long[] steps() {
    return ledger.steps();
  }

  /**
   * Where a step lies now; empty if it is not stored. Host memory counts as {@link Level#DEVICE}:
   * both end with the process.
   */
  public Set<Level> where(long step) {
    requireStep(step);
    synchronized (ledger) {
      State state = ledger.find(step);
      Set<Level> levels = EnumSet.noneOf(Level.class);
      if (state != null && state.onDevice) {
        levels.add(Level.DEVICE);
      }
      Shelf below = state == null ? null : state.shelf();
      if (below != null) {
        levels.add(below.level());
      }
      return levels;
    }
  }

  /**
   * All stored steps below this one survive the process, so that {@link #resume} finds them. 0 if
   * the files do not outlive it. O(steps).
   */
  public long durableBelow() {
    return isKept ? ledger.durableBelow() : 0;
  }

  /** Counts since it was opened. */
  public HistoryStats stats() {
    return ledger.stats();
  }

  static void requireStep(long step) {
    if (step < 0 || step > MOST_STEPS) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "step %d; allowed are 0 to %d", step, MOST_STEPS));
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the history is closed");
    }
  }

  /**
   * Waits for the transfers under way, and ends. Removes the files of {@link #open}. Idempotent.
   */
  @Override
  public void close() {
    end(!isKept);
  }

  /**
   * Ends like {@link #close}, and removes the files but for an empty one, the lock. Does nothing to
   * a history that was closed: its directory may be another's.
   */
  public void delete() {
    end(true);
  }

  private void end(boolean removesFiles) {
    if (closed) {
      return;
    }
    closed = true;
    movers.close();
    try (storage) {
      if (removesFiles) {
        storage.delete(); // as long as no other history can have the directory
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the files of a history were not %s".formatted(removesFiles ? "removed" : "closed"), e);
    } finally {
      Optional.ofNullable(own).ifPresent(DeviceMemory::close);
    }
  }
}
