package io.cairn.adjoint.history;

import io.cairn.Level;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store below the files. States are written in batches, each to an object of its own, since a
 * store takes no bytes in the middle of one, and small objects cost as much as large ones. An
 * object goes when none of its states is needed. A process that was fenced may meet objects of its
 * successor; it leaves them alone. Its monitor guards which chunk lies where; no thread holds it
 * while bytes move.
 */
final class StoreShelf implements Shelf {
  private static final Logger LOG = LoggerFactory.getLogger(StoreShelf.class);
  private static final String PREFIX = "states-";

  private record OpenObject(String name, StoreInput input) {}

  private final CheckpointStore store;
  private final Duration patience;
  private final int chunkBytes;
  private final long batchBytes;
  private final List<State> found = new ArrayList<>();
  private final List<State> ended = new ArrayList<>();
  private final Queue<StoredBatch> unneeded = new ConcurrentLinkedQueue<>();

  /** Reads come in runs from one object. */
  private final AtomicReference<@Nullable OpenObject> open = new AtomicReference<>();

  private final StoredPlaces places = new StoredPlaces();

  /** The names of objects that it took over or began. */
  private final Set<String> owned = ConcurrentHashMap.newKeySet();

  private long nextNumber;
  private @Nullable StoredBatch current;

  /** Of the current object; the thread that writes owns it. */
  private @Nullable StoreOutput output;

  private StoreShelf(CheckpointStore store, Duration patience, HistorySettings settings) {
    this.store = store;
    this.patience = patience;
    chunkBytes = settings.chunkBytes();
    // The chunks of a batch become free at once, so it has a part of the device at most.
    batchBytes = Math.min(HistorySettings.SEGMENT_BYTES, settings.deviceBytes() / 4);
  }

  /**
   * Takes over what an earlier process left, or removes it.
   *
   * @param store that has the objects of this history alone
   * @param patience how long a program without other room waits for a store that fails
   * @param resumes whether states outlive the process
   * @param capacity the most chunks
   * @throws IOException if the store cannot be read
   */
  static StoreShelf open(
      CheckpointStore store,
      Duration patience,
      HistorySettings settings,
      boolean resumes,
      int capacity)
      throws IOException {
    StoreShelf shelf = new StoreShelf(store, patience, settings);
    if (resumes) {
      shelf.takeOver(capacity);
    } else {
      shelf.clear();
    }
    return shelf;
  }

  /** The newest object first: its state of a step counts. */
  private void takeOver(int capacity) throws IOException {
    Set<Long> steps = new HashSet<>();
    int[] taken = {0};
    for (StoredBatch batch : batches()) {
      batch.isClosed = true;
      owned.add(batch.name);
      nextNumber = Math.max(nextNumber, number(batch.name) + 1);
      for (State state : statesOf(batch)) {
        if (state.chunks <= capacity - taken[0] && steps.add(state.step)) {
          Arrays.setAll(state.below, i -> i < state.chunks ? place(batch, state, i, taken) : 0);
          found.add(state);
        }
      }
      if (batch.needed == 0) {
        unneeded.add(batch);
      }
    }
  }

  private int place(StoredBatch batch, State state, int i, int[] taken) {
    int chunk = taken[0]++;
    places.put(chunk, batch, state.below[i]);
    return chunk;
  }

  private List<StoredBatch> batches() throws IOException {
    return store.list("").stream()
        .filter(entry -> !entry.directory())
        .map(StoreEntry::name)
        .filter(name -> name.matches(PREFIX + "\\d{10}"))
        .sorted((a, b) -> b.compareTo(a))
        .map(StoredBatch::new)
        .toList();
  }

  private static long number(String name) {
    return Long.parseLong(name.substring(PREFIX.length()));
  }

  /** A killed process may have left a part of an object; its states are not in it. */
  private Collection<State> statesOf(StoredBatch batch) {
    try (StoreInput input = store.open(batch.name)) {
      List<State> states = StoredBatch.states(input, chunkBytes);
      return states == null ? List.of() : states;
    } catch (IOException e) {
      LOG.warn("{} of {} cannot be read; its states count as lost", batch, store.describe(), e);
      return List.of();
    }
  }

  @Override
  public String name() {
    return "store";
  }

  @Override
  public Level level() {
    return Level.STORE;
  }

  @Override
  public synchronized void take(int[] chunks, int count) {
    StoredBatch batch = current;
    if (batch == null) {
      batch = new StoredBatch(String.format(Locale.ROOT, "%s%010d", PREFIX, nextNumber++));
      current = batch;
    }
    for (int i = 0; i < count; i++) {
      places.append(chunks[i], batch);
    }
  }

  @Override
  public synchronized void free(int[] chunks, int count) {
    for (int i = 0; i < count; i++) {
      StoredBatch batch = places.remove(chunks[i]);
      if (batch.needed == 0 && batch.isClosed) {
        unneeded.add(batch);
      }
    }
  }

  @Override
  public boolean follows(int chunk, int next) {
    return places.follows(chunk, next);
  }

  @Override
  public long batchBytes() {
    return batchBytes;
  }

  @Override
  public Duration patience() {
    return patience;
  }

  @Override
  public void begin(State state) throws IOException {
    if (output == null) {
      String name = batch().name;
      output = store.create(name);
      owned.add(name);
    }
  }

  private synchronized StoredBatch batch() {
    return Objects.requireNonNull(current);
  }

  @Override
  public void write(int chunk, ByteBuffer bytes) throws IOException {
    Objects.requireNonNull(output).write(bytes);
  }

  @Override
  public void end(State state) {
    ended.add(state);
  }

  @Override
  public void seal() throws IOException {
    StoreOutput written = Objects.requireNonNull(output);
    written.write(StoredBatch.end(ended, chunkBytes, places::place));
    try {
      written.sync();
      written.close();
    } catch (FileAlreadyExistsException e) {
      isAnothers(batch(), e);
      throw e;
    }
    endBatch();
  }

  private synchronized void endBatch() {
    StoredBatch batch = batch();
    batch.isClosed = true;
    if (batch.needed == 0) {
      unneeded.add(batch);
    }
    current = null;
    output = null;
    ended.clear();
  }

  @Override
  public void abandon() {
    StoreOutput broken = output;
    if (broken != null) {
      try {
        broken.close();
      } catch (FileAlreadyExistsException e) {
        isAnothers(batch(), e);
      } catch (IOException e) {
        LOG.debug("an object that failed did not close", e);
      }
    }
    endBatch();
  }

  /** Another process ended an object of that name first. */
  private void isAnothers(StoredBatch batch, FileAlreadyExistsException found) {
    LOG.debug("{} of {} is another process's", batch, store.describe(), found);
    owned.remove(batch.name);
  }

  @Override
  public void read(int chunk, ByteBuffer into) throws IOException {
    String name = places.batch(chunk).name;
    OpenObject object = open.getAndSet(null);
    if (object == null || !object.name().equals(name)) {
      close(object);
      object = new OpenObject(name, store.open(name));
    }
    try {
      object.input().readFully((long) places.place(chunk) * chunkBytes, into);
    } catch (IOException | RuntimeException e) {
      close(object);
      throw e;
    }
    close(open.getAndSet(object));
  }

  private static void close(@Nullable OpenObject object) {
    if (object != null) {
      try {
        object.input().close();
      } catch (IOException e) {
        LOG.debug("{} did not close after its reads", object.name(), e);
      }
    }
  }

  @Override
  public void tidy() {
    for (StoredBatch next = unneeded.poll(); next != null; next = unneeded.poll()) {
      try {
        remove(next.name);
      } catch (IOException e) {
        LOG.warn("{} stays in {} although nobody needs it", next, store.describe(), e);
      }
    }
  }

  private void remove(String name) throws IOException {
    if (owned.contains(name)) {
      store.delete(name);
      owned.remove(name);
    }
  }

  @Override
  public List<State> found() {
    return List.copyOf(found);
  }

  /** Objects of other processes go too: their states must not be taken for those of a new run. */
  @Override
  public void clear() throws IOException {
    unneeded.clear();
    for (StoredBatch batch : batches()) {
      store.delete(batch.name);
      owned.remove(batch.name);
    }
  }

  @Override
  public void delete() throws IOException {
    for (String name : List.copyOf(owned)) {
      remove(name);
    }
  }

  @Override
  public void close() {
    close(open.getAndSet(null));
  }
}
