package io.cairn.engine.runtime;

import io.cairn.Checkpointer;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.Coordination;
import io.cairn.engine.coordination.CoordinatorThreads;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.coordination.LocalCoordination;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A coupled group in one process: each rank on a node of its own, all with one coordinator. With
 * the setting {@code coordinator} the ranks meet there as processes do.
 */
final class Ranks implements AutoCloseable {
  private static final long CLOSE_NANOS = 20_000_000_000L;

  /** Opens each rank's STORE. */
  interface Stores {
    CheckpointStore open(int rank) throws IOException;
  }

  /** The work of one rank. */
  interface Work<T> {
    T run(int rank, Checkpointer checkpointer) throws Exception;
  }

  private final Path root;
  private final CheckpointStore store;
  private final CoordinatorThreads coordinators = new CoordinatorThreads(System::nanoTime);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<CairnEngine> cairns = new ArrayList<>();
  private final CadenceReports reports = new CadenceReports();
  private final LocalCoordination coordination;

  Ranks(Path root, int size, String... settings) throws IOException {
    this(root, Collections.nCopies(size, settings));
  }

  /** Ranks with settings of their own; the coordinator has those of the first. */
  Ranks(Path root, List<String[]> settings) throws IOException {
    this(root, settings, rank -> LocalStore.open(new Places(root).store(), Durability.PROCESS));
  }

  /** Ranks whose stores need not be the coordinator's. */
  Ranks(Path root, int size, Stores stores) throws IOException {
    this(root, Collections.nCopies(size, new String[0]), stores);
  }

  /** Ranks with settings and stores of their own. */
  Ranks(Path root, List<String[]> settings, Stores stores) throws IOException {
    this(root, settings, stores, LocalStore.open(new Places(root).store(), Durability.PROCESS));
  }

  /** Ranks and a coordinator with stores of their own. */
  Ranks(Path root, List<String[]> settings, Stores stores, CheckpointStore store)
      throws IOException {
    this.root = root;
    Places places = new Places(root);
    CairnConfig config = places.config(settings.get(0));
    this.store = store;
    coordination =
        new LocalCoordination(
            HostContext.of(
                    config,
                    store,
                    "test",
                    coordinators,
                    reports,
                    System::nanoTime,
                    InstantSource.system())
                .hosts());
    for (int rank = 0; rank < settings.size(); rank++) {
      Places here = at(rank);
      Files.createDirectories(here.root());
      CairnConfig own = here.config(settings.get(rank));
      if (own.coordinator().isPresent()) {
        cairns.add(CairnEngine.open(own));
      } else {
        CairnEngine cairn = CairnEngine.open(own, stores.open(rank));
        cairn.coordinateCoupledGroups(coordination);
        cairns.add(cairn);
      }
    }
  }

  /** A rank's node and device; the store is the group's. */
  Places at(int rank) {
    return new Places(root.resolve("machine-" + rank));
  }

  /** Of all ranks, unless a test replaces a rank's. */
  Coordination coordination() {
    return coordination;
  }

  CadenceReports reports() {
    return reports;
  }

  CairnEngine cairn(int rank) {
    return cairns.get(rank);
  }

  /** Runs all ranks at once; their results by rank, or the first one's error. */
  <T> List<T> each(Work<T> work) throws Exception {
    List<Future<T>> running = new ArrayList<>();
    for (int rank = 0; rank < cairns.size(); rank++) {
      running.add(start(rank, work));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> one : running) {
      results.add(result(one));
    }
    return results;
  }

  <T> Future<T> start(int rank, Work<T> work) {
    Callable<T> joined =
        () -> {
          try (Checkpointer checkpointer = cairns.get(rank).join("run", rank, cairns.size())) {
            return work.run(rank, checkpointer);
          }
        };
    return threads.submit(joined);
  }

  static <T> T result(Future<T> running) throws Exception {
    try {
      return running.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Waits until the coordinator has done at STORE what it had begun. */
  void awaitStore() throws InterruptedException {
    // retention follows the seal
    if (!coordinators.awaitIdle(System.nanoTime() + CLOSE_NANOS)) {
      throw new IllegalStateException("the coordinator did not end its work at STORE");
    }
  }

  static Toy toy(int rank) {
    Toy toy = new Toy();
    toy.counter = rank;
    return toy;
  }

  static Toy undisturbed(int rank, long iterations) {
    Toy toy = toy(rank);
    for (long i = 0; i < iterations; i++) {
      toy.step(i);
    }
    return toy;
  }

  @Override
  public void close() throws IOException {
    cairns.forEach(CairnEngine::close);
    threads.shutdownNow();
    coordinators.end(System.nanoTime() + CLOSE_NANOS);
    store.close();
  }
}
