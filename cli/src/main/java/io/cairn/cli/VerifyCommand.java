package io.cairn.cli;

import io.cairn.GroupId;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Quarantine;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn verify}: reads everything in a store and says what is damaged. */
@Command(
    name = "verify",
    description = {
      "Read and check every manifest, index and chunk of a store.",
      "With --repair, damaged containers of STORE are replaced by good ones from --node.",
      "Exit code 0: all is as it was written, or is so now; 1: something is damaged."
    })
final class VerifyCommand implements Callable<Integer> {
  @Mixin private GroupSelection selection = new GroupSelection();

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--repair",
      description = "Replace damaged containers by good ones, and read everything again.")
  private boolean repair;

  @Option(
      names = "--node",
      paramLabel = "DIR",
      description = "With --repair: a node's directory (spark.cairn.node.dir); may be repeated.")
  private List<Path> nodes = List.of();

  /**
   * The content of {@code --json}.
   *
   * @param bytes of the containers
   * @param stateBytes of their chunks as captured
   * @param unfinished directories without a manifest, which promise nothing and are not damage
   * @param uncommitted those of them with whole containers of every rank: they were about to be
   *     committed, or lost their manifest
   * @param setAside files of copies that were bad when they were read, which are not read again
   * @param advice what helps against damage that no repair mends
   * @param repairs containers that were damaged before, and what became of them
   */
  record Report(
      String store,
      boolean good,
      int groups,
      int checkpoints,
      long containers,
      long chunks,
      long bytes,
      long stateBytes,
      int unfinished,
      List<String> uncommitted,
      List<String> setAside,
      List<Verifier.Damage> damage,
      List<String> advice,
      List<Repairs.Repair> repairs) {
    Report after(List<Repairs.Repair> done) {
      return new Report(
          store,
          good,
          groups,
          checkpoints,
          containers,
          chunks,
          bytes,
          stateBytes,
          unfinished,
          uncommitted,
          setAside,
          damage,
          advice,
          done);
    }
  }

  @Override
  public Integer call() throws IOException {
    if (!repair && !nodes.isEmpty()) {
      throw new IllegalArgumentException("--node is of use with --repair alone");
    }
    Report first = verify();
    Report report = repair && !first.good() ? afterRepair(first) : first;
    json.print(report, out -> print(report, out));
    return report.good() ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private Report afterRepair(Report damaged) throws IOException {
    List<Repairs.Repair> done = repair(damaged);
    return verify().after(done);
  }

  private List<Repairs.Repair> repair(Report report) throws IOException {
    Set<String> damaged =
        report.damage().stream().map(Verifier.Damage::checkpoint).collect(Collectors.toSet());
    try (CheckpointStore store = selection.openExisting();
        Repairs repairs = new Repairs(store, nodes)) {
      for (GroupId group : selection.groups(store)) {
        repairs.run(group, damaged);
      }
      return repairs.done();
    }
  }

  private Report verify() throws IOException {
    try (CheckpointStore store = selection.openForReading()) {
      List<Life> lives = new ArrayList<>();
      for (GroupId group : selection.groups(store)) {
        for (CheckpointStore life : Lives.of(store, group)) {
          List<String> setAside = new Quarantine(life).files(group);
          lives.add(new Life(life, Inventory.list(life, group), setAside));
        }
      }
      return verify(store, lives);
    }
  }

  /** A group in the store that holds it. */
  private record Life(CheckpointStore store, Inventory.Listing listing, List<String> setAside) {
    Stream<String> places() {
      return setAside.stream().map(path -> store.describe() + "/" + path);
    }
  }

  private static Report verify(CheckpointStore store, List<Life> lives) {
    long total =
        lives.stream()
            .flatMap(life -> life.listing().checkpoints().values().stream())
            .mapToLong(StoredCheckpoint::bytes)
            .sum();
    try (Progress progress = Progress.start("verify", total)) {
      List<Verifier> verifiers = new ArrayList<>();
      for (Life life : lives) {
        Verifier verifier = new Verifier(life.store(), progress::advance);
        verifier.verify(life.listing());
        verifiers.add(verifier);
      }
      return report(store, lives, verifiers);
    }
  }

  private static Report report(CheckpointStore store, List<Life> lives, List<Verifier> verifiers) {
    int checkpoints = 0;
    int unfinished = 0;
    for (Life life : lives) {
      Inventory.Listing listing = life.listing();
      unfinished += listing.unfinished().size();
      checkpoints += listing.everything().size() - listing.unfinished().size();
    }
    List<Verifier.Damage> damage = all(verifiers, Verifier::damage);
    return new Report(
        store.describe(),
        damage.isEmpty(),
        lives.size(),
        checkpoints,
        verifiers.stream().mapToLong(Verifier::containers).sum(),
        verifiers.stream().mapToLong(Verifier::chunks).sum(),
        verifiers.stream().mapToLong(Verifier::bytes).sum(),
        verifiers.stream().mapToLong(Verifier::stateBytes).sum(),
        unfinished,
        all(verifiers, Verifier::uncommitted),
        lives.stream().flatMap(Life::places).toList(),
        damage,
        lives.stream()
            .filter(life -> life.store() == store)
            .flatMap(life -> life.listing().problems().stream())
            .filter(problem -> problem.manifest().isEmpty())
            .map(problem -> advice(store, problem))
            .toList(),
        List.of());
  }

  /** Only the manifest says what its checkpoint is, so nothing can take its place. */
  private static String advice(CheckpointStore store, Inventory.Problem problem) {
    return ("%s of %s cannot be made again. A restore takes an older checkpoint, %s. bin/cairn"
            + " prune %s --job %s --group %s --discard %s --yes deletes it")
        .formatted(
            problem.path(),
            problem.id(),
            problem.passing() ? "after it has asked for store.patience" : "at once",
            store.describe(),
            problem.id().group().job(),
            problem.id().group().group(),
            problem.id().label());
  }

  private static <T> List<T> all(List<Verifier> verifiers, Function<Verifier, List<T>> of) {
    return verifiers.stream().flatMap(verifier -> of.apply(verifier).stream()).toList();
  }

  private static void print(Report report, PrintWriter out) {
    report.repairs().forEach(out::println);
    report.damage().forEach(each -> out.println("damaged: " + each));
    report.advice().forEach(each -> out.println("remedy: " + each));
    report.setAside().forEach(each -> out.println("bad, set aside: " + each));
    report.uncommitted().forEach(each -> out.println("whole without a manifest: " + each));
    out.printf(
        "%s: %s in %s, %s and %s read (%s, for %s of state)%s: %s%n",
        report.store(),
        Units.count(report.checkpoints(), "checkpoint"),
        Units.count(report.groups(), "group"),
        Units.count(report.containers(), "container"),
        Units.count(report.chunks(), "chunk"),
        Units.bytes(report.bytes()),
        Units.bytes(report.stateBytes()),
        report.unfinished() == 0 ? "" : ", " + report.unfinished() + " unfinished left out",
        verdict(report));
  }

  private static String verdict(Report report) {
    if (!report.good()) {
      return Units.count(report.damage().size(), "damaged place");
    }
    return report.checkpoints() == 0 ? "nothing to restore" : "all good";
  }
}
