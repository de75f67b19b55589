package io.cairn.cli;

import io.cairn.GroupId;
import io.cairn.core.goodput.Cause;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cairn goodput}: the time of a training by its causes, as its manifests say. */
@Command(
    name = "goodput",
    description = {
      "Print the time of each group by its causes, and its ETTR.",
      "That is the part that counts. Sums up all ranks of an epoch, each up to its newest"
          + " checkpoint in the store. Reads manifests only."
    })
final class GoodputCommand implements Callable<Integer> {
  @Mixin private GroupSelection selection = new GroupSelection();

  @Mixin private JsonOption json = new JsonOption();

  /** The content of {@code --json}, with times in seconds. */
  record Report(String store, List<GroupGoodput> groups) {}

  @Override
  public Integer call() throws IOException {
    try (CheckpointStore store = selection.openForReading()) {
      List<GroupGoodput> groups = new ArrayList<>();
      for (GroupId group : selection.groups(store)) {
        for (CheckpointStore life : Lives.of(store, group)) {
          GroupGoodput.of(life, group).ifPresent(groups::add);
        }
      }
      json.print(new Report(store.describe(), groups), out -> print(store, groups, out));
    }
    return ExitCodes.GOOD;
  }

  private static void print(CheckpointStore store, List<GroupGoodput> groups, PrintWriter out) {
    if (groups.isEmpty()) {
      out.println(store.describe() + " holds no account of any group's time");
    }
    groups.forEach(group -> print(group, store.describe(), out));
  }

  private static void print(GroupGoodput group, String store, PrintWriter out) {
    String place = group.store().equals(store) ? "" : " in " + group.store();
    out.println(group.job() + "/" + group.group() + place);
    out.println(
        "  %s of %s until %s%s: ETTR %s, waste %s%s"
            .formatted(
                Units.seconds(group.all().seconds()),
                Units.count(group.ranks(), "rank"),
                group.until(),
                group.ended() ? ", when the training ended" : "",
                ettr(group.all()),
                Units.percent(1 - group.all().ettr()),
                group.predictedWaste() == null
                    ? ""
                    : ", predicted " + Units.percent(group.predictedWaste())));
    List<String> causes = Stream.of(Cause.values()).map(Cause::label).toList();
    List<String> heading = new ArrayList<>(List.of(">epoch", ">time", ">ETTR"));
    causes.forEach(cause -> heading.add(">" + cause));
    Table table = new Table(heading.toArray(String[]::new));
    for (GroupGoodput.Epoch epoch : group.epochs()) {
      String name = epoch.epoch() == 0 ? "older" : String.valueOf(epoch.epoch());
      table.row(row(name, epoch.times(), causes));
    }
    table.row(row("all", group.all(), causes));
    table.lines().forEach(line -> out.println("  " + line));
    out.println();
  }

  private static Object[] row(String epoch, GroupGoodput.Times times, List<String> causes) {
    List<String> cells = new ArrayList<>(List.of(epoch, Units.seconds(times.seconds())));
    cells.add(ettr(times));
    for (String cause : causes) {
      double seconds = times.causes().getOrDefault(cause, 0.0);
      cells.add(seconds == 0 ? "0" : Units.seconds(seconds));
    }
    return cells.toArray();
  }

  private static String ettr(GroupGoodput.Times times) {
    return String.format(Locale.ROOT, "%.4f", times.ettr());
  }
}
