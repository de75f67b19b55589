package io.cairn.cli;

import io.cairn.GroupId;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cairn list}: what a store holds, as its manifests say. */
@Command(
    name = "list",
    description = {
      "List jobs, groups, epochs and checkpoints of a store.",
      "Marks groups whose training ended in order. Reads manifests only; 'verify' reads everything."
    })
final class ListCommand implements Callable<Integer> {
  @Mixin private GroupSelection selection = new GroupSelection();

  @Mixin private JsonOption json = new JsonOption();

  /** The content of {@code --json}. */
  record Report(String store, List<GroupListing> groups) {}

  @Override
  public Integer call() throws IOException {
    try (CheckpointStore store = selection.openForReading()) {
      List<GroupListing> groups = new ArrayList<>();
      for (GroupId group : selection.groups(store)) {
        for (CheckpointStore life : Lives.of(store, group)) {
          groups.add(GroupListing.of(life, group));
        }
      }
      json.print(new Report(store.describe(), groups), out -> print(store, groups, out));
    }
    return ExitCodes.GOOD;
  }

  private static void print(CheckpointStore store, List<GroupListing> groups, PrintWriter out) {
    if (groups.isEmpty()) {
      out.println(store.describe() + " holds no checkpoints");
    }
    groups.forEach(group -> print(group, store.describe(), out));
  }

  private static void print(GroupListing group, String store, PrintWriter out) {
    String place = group.store().equals(store) ? "" : " in " + group.store();
    out.println(group.job() + "/" + group.group() + place);
    Table epochs = new Table(">epoch", "taken", "by");
    group.epochs().forEach(each -> epochs.row(each.epoch(), each.taken(), each.by()));
    print(epochs, out);
    Table checkpoints =
        new Table(
            ">epoch", ">iteration", "state", ">ranks", ">size", ">score", "sealed", "certified");
    group
        .checkpoints()
        .forEach(
            each ->
                checkpoints.row(
                    each.epoch(),
                    each.iteration(),
                    each.state().name().toLowerCase(Locale.ROOT),
                    each.ranks() + "/" + each.size(),
                    Units.bytes(each.bytes()),
                    Objects.requireNonNullElse(each.score(), ""),
                    each.sealed(),
                    each.certified()));
    print(checkpoints, out);
    group.checkpoints().stream()
        .flatMap(each -> each.lossy().stream())
        .distinct()
        .forEach(region -> out.println("  lossy: " + region));
    if (group.ended()) {
      out.println("  " + end(group));
    }
    if (!group.unfinished().isEmpty()) {
      out.println("  unfinished: " + String.join(", ", group.unfinished()));
    }
    group
        .problems()
        .forEach(each -> out.println("  does not count: " + each.path() + ": " + each.reason()));
    group.setAside().forEach(each -> out.println("  bad, set aside: " + each));
    if (!group.lost().isEmpty()) {
      out.println("  lost: " + group.lost() + " was sealed, and its manifest is gone");
    }
    out.println();
  }

  private static String end(GroupListing group) {
    GroupListing.Checkpoint last = group.checkpoints().get(group.checkpoints().size() - 1);
    long epoch = group.epochs().stream().mapToLong(GroupListing.Epoch::epoch).max().orElse(0);
    String since = epoch > last.epoch() ? "; epoch " + epoch + " has sealed nothing since" : "";
    return "ended with iteration " + last.iteration() + since;
  }

  private static void print(Table table, PrintWriter out) {
    if (!table.isEmpty()) {
      table.lines().forEach(line -> out.println("  " + line));
    }
  }
}
