package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Machines with one rank each, of which some are lost with all that they held after a training. */
final class LosableMachines {
  private final Network network;
  private final Path root;
  private final int machines;
  private final List<String> settings;

  /** Lets processes of ranks reach each other. */
  @FunctionalInterface
  interface Network {
    /** The same ranks, each of which serves a machine of its own. */
    Ranks join(Ranks ranks, int size) throws IOException;
  }

  /** Machines with these settings, beside those of the periods. */
  LosableMachines(Network network, Path root, int machines, String... settings) {
    this.network = network;
    this.root = root;
    this.machines = machines;
    this.settings = List.of(settings);
  }

  /** The ranks of one life of the group, below a directory of that name; no node is served yet. */
  Ranks ranks(String directory) throws IOException {
    Path at = Files.createDirectories(root.resolve(directory));
    List<String> all = new ArrayList<>(settings);
    all.addAll(List.of("peer.domain", "node", "peer.every", "10", "store.every", "1000"));
    all.addAll(List.of("store", at.resolve("store").toString()));
    return new Ranks(at, machines, all.toArray(String[]::new));
  }

  /**
   * Trains until STORE has iteration 0, PEER has 10 and NODE has 18, long after it would have
   * deleted 10 by itself. The files as they are then lie below {@code later}.
   */
  void train() throws Exception {
    CountDownLatch sealed = new CountDownLatch(machines);
    CountDownLatch copied = new CountDownLatch(1);
    try (Ranks ranks = network.join(ranks("earlier"), machines)) {
      Ranks.Work<Boolean> work =
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            toy.run(checkpointer, 0, 1).sealed(Level.STORE).join();
            CheckpointTicket atPeer = toy.run(checkpointer, 1, 11);
            assertThat(atPeer.sealed(Level.PEER).join()).isEqualTo(new Outcome.Sealed(Level.PEER));
            for (long iteration = 11; iteration < 19; iteration++) {
              toy.run(checkpointer, iteration, iteration + 1).sealed(Level.NODE).join();
            }
            sealed.countDown();
            return copied.await(1, TimeUnit.MINUTES);
          };
      List<Future<Boolean>> running = new ArrayList<>();
      for (int rank = 0; rank < machines; rank++) {
        running.add(ranks.start(rank, work));
      }
      assertThat(sealed.await(1, TimeUnit.MINUTES)).isTrue();
      for (int machine = 0; machine < machines; machine++) {
        awaitRetention(ranks.at(machine));
      }

      copyToLater();

      copied.countDown();
      for (Future<Boolean> each : running) {
        assertThat(Ranks.result(each)).isTrue();
      }
    }
  }

  /** NODE keeps its two newest, and the two that PEER keeps; deletes run behind the seals. */
  private static void awaitRetention(Places machine) throws IOException {
    Set<String> kept =
        Set.of(
            "e000001-i0000000000",
            "e000001-i0000000010",
            "e000001-i0000000016",
            "e000001-i0000000018");
    Set<String> here;
    do {
      LockSupport.parkNanos(5_000_000);
      try (Stream<Path> entries = Files.list(machine.nodeOfStore().resolve("test/run"))) {
        here =
            entries
                .map(entry -> entry.getFileName().toString())
                .filter(name -> name.contains("-i"))
                .collect(Collectors.toSet());
      }
    } while (!here.equals(kept));
  }

  private void copyToLater() throws IOException {
    Path source = root.resolve("earlier");
    Path target = root.resolve("later");
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(each -> !each.toString().contains("/device")).toList()) {
        Files.copy(file, target.resolve(source.relativize(file)));
      }
    }
  }

  /** Loses a machine after the training. */
  void lose(int machine) throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve("later/machine-" + machine))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** How the ranks go on in a later life; their bytes are those of an undisturbed training. */
  List<RestoreReport> restore() throws Exception {
    try (Ranks ranks = network.join(ranks("later"), machines)) {
      return ranks.each(LosableMachines::restore);
    }
  }

  private static RestoreReport restore(int rank, Checkpointer checkpointer) {
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    RestoreReport report = checkpointer.restore().orElseThrow();
    assertThat(toy).isEqualTo(Ranks.undisturbed(rank, report.id().iteration() + 1));
    return report;
  }

  /** Damages a file of a machine after the training. */
  void damage(int machine, String end) throws IOException {
    Path below = root.resolve("later/machine-" + machine + "/node");
    Path file;
    try (Stream<Path> files = Files.walk(below)) {
      file = files.filter(each -> each.endsWith(end)).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 3] ^= 1;
    Files.write(file, bytes);
  }
}
