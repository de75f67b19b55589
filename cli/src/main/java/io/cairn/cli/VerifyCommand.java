package io.cairn.cli;

import io.cairn.core.model.GroupId;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn verify}: reads everything in a store and says what is damaged. */
@Command(
    name = "verify",
    description = {
      "Read every manifest, index and chunk of a store and check them.",
      "Exit code 0: all is as it was written; 1: something is damaged."
    })
final class VerifyCommand implements Callable<Integer> {
  @Mixin private GroupSelection selection = new GroupSelection();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * The content of {@code --json}.
   *
   * @param unfinished directories without a manifest, which promise nothing and are not damage
   */
  record Report(
      String store,
      boolean good,
      int groups,
      int checkpoints,
      long containers,
      long chunks,
      long bytes,
      int unfinished,
      List<Verifier.Damage> damage) {}

  @Override
  public Integer call() throws IOException {
    try (CheckpointStore store = CheckpointStores.openForReading(selection.store())) {
      List<Inventory.Listing> listings = new ArrayList<>();
      for (GroupId group : selection.groups(store)) {
        listings.add(Inventory.list(store, group));
      }
      Report report = verify(store, listings);
      print(report);
      return report.good() ? ExitCodes.GOOD : ExitCodes.BAD;
    }
  }

  private static Report verify(CheckpointStore store, List<Inventory.Listing> listings) {
    long total =
        listings.stream()
            .flatMap(listing -> listing.checkpoints().values().stream())
            .mapToLong(StoredCheckpoint::bytes)
            .sum();
    try (Progress progress = Progress.start("verify", total)) {
      Verifier verifier = new Verifier(store, progress::advance);
      for (Inventory.Listing listing : listings) {
        listing.checkpoints().values().forEach(verifier::verify);
        listing.problems().forEach(verifier::diagnose);
      }
      return report(store, listings, verifier);
    }
  }

  private static Report report(
      CheckpointStore store, List<Inventory.Listing> listings, Verifier verifier) {
    int checkpoints = 0;
    int unfinished = 0;
    for (Inventory.Listing listing : listings) {
      unfinished += listing.unfinished().size();
      checkpoints += listing.everything().size() - listing.unfinished().size();
    }
    List<Verifier.Damage> damage = verifier.damage();
    return new Report(
        store.describe(),
        damage.isEmpty(),
        listings.size(),
        checkpoints,
        verifier.containers(),
        verifier.chunks(),
        verifier.bytes(),
        unfinished,
        damage);
  }

  private void print(Report report) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.text(report));
    } else {
      report.damage().forEach(each -> out.println("damaged: " + each));
      out.printf(
          "%s: %s in %s, %s and %s read (%s)%s: %s%n",
          report.store(),
          Units.count(report.checkpoints(), "checkpoint"),
          Units.count(report.groups(), "group"),
          Units.count(report.containers(), "container"),
          Units.count(report.chunks(), "chunk"),
          Units.bytes(report.bytes()),
          report.unfinished() == 0 ? "" : ", " + report.unfinished() + " unfinished left out",
          report.good() ? "all good" : Units.count(report.damage().size(), "damaged place"));
    }
  }
}
