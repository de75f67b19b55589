package io.cairn.engine.runtime;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.CoordinatorThreads;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.coordination.LocalCoordination;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.EmbeddedHdfs;
import io.cairn.flush.store.HadoopStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A coupled group on several executors, each with a node and a connection to HDFS of its own, in
 * one process. The coordinator has a connection, too.
 */
final class HdfsExecutors implements AutoCloseable {
  private static final long CLOSE_NANOS = 20_000_000_000L;

  private final int ranks;
  private final int perExecutor;
  private final CheckpointStore store;
  private final LocalCoordination coordination;
  private final CoordinatorThreads coordinators = new CoordinatorThreads(System::nanoTime);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<CairnEngine> cairns = new ArrayList<>();
  private final List<Checkpointer> checkpointers = new ArrayList<>();

  /** The work of one rank. */
  private interface Work<T> {
    T run(int rank) throws Exception;
  }

  /**
   * Connects the coordinator; no executor runs yet.
   *
   * @param hdfs a root that exists, or is made
   */
  HdfsExecutors(URI hdfs, int ranks, int perExecutor) throws IOException {
    this.ranks = ranks;
    this.perExecutor = perExecutor;
    this.store = HadoopStore.open(hdfs, EmbeddedHdfs.impatientClient());
    CairnConfig config = new Places(Path.of("unused")).config();
    coordination =
        new LocalCoordination(
            HostContext.of(
                    config,
                    store,
                    "test",
                    coordinators,
                    new CadenceReports(),
                    System::nanoTime,
                    InstantSource.system())
                .hosts());
  }

  /** Starts the executors on machines without copies, below {@code root}. */
  void start(Path root, URI hdfs) throws IOException {
    for (int first = 0; first < ranks; first += perExecutor) {
      Path machine = Files.createDirectories(root.resolve("machine-" + first));
      CairnConfig config = new Places(machine).config("store", hdfs.toString());
      CheckpointStore opened = HadoopStore.openProbed(hdfs, EmbeddedHdfs.impatientClient());
      CairnEngine cairn = CairnEngine.open(config, opened);
      cairn.coordinateCoupledGroups(coordination);
      cairns.add(cairn);
    }
  }

  private <T> List<T> each(Work<T> work) throws Exception {
    List<Future<T>> running = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      int its = rank;
      running.add(threads.submit(() -> work.run(its)));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> one : running) {
      results.add(one.get());
    }
    return results;
  }

  /** Joins all ranks, and restores each; the levels that they were read from. */
  List<Level> restore() throws Exception {
    checkpointers.addAll(each(rank -> cairns.get(rank / perExecutor).join("run", rank, ranks)));
    return each(
        rank -> {
          Checkpointer checkpointer = checkpointers.get(rank);
          checkpointer.protect(Region.of("weights", new float[] {rank, 0, 0}));
          return checkpointer.restore().map(RestoreReport::level).orElse(Level.DEVICE);
        });
  }

  /** Takes checkpoints until the last of them is at STORE, and older ones are retained. */
  void train(long from, long to) throws Exception {
    List<Outcome> outcomes =
        each(
            rank -> {
              Checkpointer checkpointer = checkpointers.get(rank);
              for (long i = from; i < to; i++) {
                checkpointer.checkpoint(i).captured().join();
              }
              return checkpointer.checkpoint(to).sealed(Level.STORE).join();
            });
    for (Outcome outcome : outcomes) {
      if (!(outcome instanceof Outcome.Sealed)) {
        throw new IllegalStateException("iteration " + to + " is not at STORE: " + outcome);
      }
    }
    // retention follows the seal
    if (!coordinators.awaitIdle(System.nanoTime() + CLOSE_NANOS)) {
      throw new IllegalStateException("the coordinator did not end its work at STORE");
    }
  }

  @Override
  public void close() throws IOException {
    try {
      each(
          rank -> {
            checkpointers.get(rank).close();
            return rank;
          });
    } catch (Exception e) {
      throw new IOException("a rank could not be closed", e);
    }
    cairns.forEach(CairnEngine::close);
    threads.shutdownNow();
    coordinators.end(System.nanoTime() + CLOSE_NANOS);
    store.close();
  }
}
