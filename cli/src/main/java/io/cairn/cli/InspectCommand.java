package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn inspect}: what one checkpoint, or one file of it, consists of. */
@Command(
    name = "inspect",
    description = {
      "Show what a checkpoint, or one file of it, consists of.",
      "Reads manifest, containers, regions and every chunk. Of damaged or cut files it shows what"
          + " can be read, and where they break.",
      "STORE may be the path of one container or manifest.",
      "Exit code 0: all is as it was written; 1: something is damaged or lost."
    })
final class InspectCommand implements Callable<Integer> {
  @Mixin private GroupSelection selection = new GroupSelection();

  @Option(
      names = "--checkpoint",
      paramLabel = "CHECKPOINT",
      description = "Epoch and iteration, such as e3-i42. Default: the newest of each group.")
  private String checkpoint = "";

  @Mixin private JsonOption json = new JsonOption();

  /** The content of {@code --json}. */
  record Report(boolean good, List<Inspection> inspections) {}

  @Override
  public Integer call() throws IOException {
    Optional<StoredFile> file = StoredFile.of(selection.store());
    List<Inspection> inspections = file.isPresent() ? List.of(file(file.get())) : checkpoints();
    boolean good = inspections.stream().allMatch(Inspection::good);
    json.print(new Report(good, inspections), out -> print(inspections, out));
    return good ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private void print(List<Inspection> inspections, PrintWriter out) {
    if (inspections.isEmpty()) {
      out.println(selection.store() + " holds no checkpoints");
    }
    inspections.forEach(new InspectionText(out)::print);
  }

  private Inspection file(StoredFile file) throws IOException {
    try (CheckpointStore store = CheckpointStores.openForReading(file.root(), selection.hadoop())) {
      Inspector inspector = new Inspector(store, read -> {});
      return file.id().isPresent()
          ? inspector.checkpoint(file.id().get(), file.name()::equals)
          : inspector.file(file.name());
    }
  }

  private List<Inspection> checkpoints() throws IOException {
    try (CheckpointStore store = selection.openForReading()) {
      List<Chosen> chosen = new ArrayList<>();
      for (GroupId group : selection.groups(store)) {
        for (CheckpointStore life : Lives.of(store, group)) {
          newestOrNamed(life, group).ifPresent(id -> chosen.add(new Chosen(life, id)));
        }
      }
      if (chosen.isEmpty() && !checkpoint.isEmpty()) {
        throw new IllegalArgumentException(
            "no checkpoint " + checkpoint + " in " + store.describe() + "; see 'cairn list'");
      }
      return inspect(chosen);
    }
  }

  /** A checkpoint in the store that holds it. */
  private record Chosen(CheckpointStore store, CheckpointId id) {
    long bytes() throws IOException {
      return store.list(StoreNames.checkpoint(id)).stream().mapToLong(StoreEntry::bytes).sum();
    }
  }

  private Optional<CheckpointId> newestOrNamed(CheckpointStore store, GroupId group)
      throws IOException {
    Inventory.Listing listing = Inventory.list(store, group);
    Set<CheckpointId> all = new HashSet<>(listing.everything());
    if (!checkpoint.isEmpty()) {
      return Optional.of(CheckpointName.parse(group, checkpoint)).filter(all::contains);
    }
    if (listing.lost().isPresent()) {
      return listing.lost();
    }
    // one that was not finished promises nothing, and would look damaged
    all.removeAll(listing.unfinished());
    all.removeAll(listing.leaned());
    return all.stream().max(Comparator.naturalOrder());
  }

  private static List<Inspection> inspect(List<Chosen> chosen) throws IOException {
    long total = 0;
    for (Chosen each : chosen) {
      total += each.bytes();
    }
    List<Inspection> inspections = new ArrayList<>();
    try (Progress progress = Progress.start("inspect", total)) {
      for (Chosen each : chosen) {
        inspections.add(
            new Inspector(each.store(), progress::advance).checkpoint(each.id(), name -> true));
      }
    }
    return inspections;
  }
}
