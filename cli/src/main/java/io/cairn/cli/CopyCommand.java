package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.restore.StoreTransfer;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cairn copy}: copies checkpoints to another store, and proves the copies. */
@Command(
    name = "copy",
    description = {
      "Copy the checkpoints that count to another store.",
      "Copies what they lean on, too. Reads every copy back before it is published, and replaces"
          + " nothing that is there. A training resumes from the copies alone. A copy that was"
          + " interrupted goes on if it is run again.",
      "Exit code 0: all of them are there; 1: some are damaged in STORE, or differ from those"
          + " there, or nothing of a group is there."
    })
final class CopyCommand implements Callable<Integer> {
  /** A training deletes checkpoints about as often as it seals new ones. */
  private static final int ATTEMPTS = 10;

  @Mixin private GroupSelection selection = new GroupSelection();

  @Parameters(index = "1", paramLabel = "TO", description = "The other store, which may be new.")
  private String target = "";

  @Option(
      names = "--checkpoint",
      paramLabel = "CHECKPOINT",
      description = "Only this one, such as e3-i42, whether it counts or not.")
  private String checkpoint = "";

  @Mixin private JsonOption json = new JsonOption();

  /** The content of {@code --json}. */
  record Report(String from, String to, boolean good, long bytes, List<Line> checkpoints) {}

  /** One checkpoint; the reason is empty unless it was not copied. */
  record Line(
      String group, String checkpoint, StoreTransfer.State state, long bytes, String reason) {
    static Line of(StoreTransfer.Result result) {
      return new Line(
          result.id().group().toString(),
          result.id().label(),
          result.state(),
          result.bytes(),
          result.reason());
    }
  }

  @Override
  public Integer call() throws IOException {
    requireApart(selection.store(), target);
    try (CheckpointStore from =
        CheckpointStores.openForReading(selection.place(), keysOf(selection.store()))) {
      List<StoreTransfer.Plan> plans = plans(from);
      try (CheckpointStore to = CheckpointStores.open(target, keysOf(target))) {
        Report report = copy(from, to, plans, !checkpoint.isEmpty());
        json.print(report, out -> print(report, out));
        return report.good() ? ExitCodes.GOOD : ExitCodes.BAD;
      }
    }
  }

  /** A local directory of the two has none, unless both are. */
  private Map<String, String> keysOf(String where) {
    boolean both = isLocal(selection.store()) && isLocal(target);
    return isLocal(where) && !both ? Map.of() : selection.hadoop();
  }

  private static boolean isLocal(String where) {
    return CheckpointStores.localRoot(where).isPresent();
  }

  /** A store in another one would be a job of that. */
  private static void requireApart(String one, String other) {
    if (CheckpointStores.contains(one, other) || CheckpointStores.contains(other, one)) {
      throw new IllegalArgumentException(
          "%s and %s lie in each other: copy to a place outside of the store"
              .formatted(one, other));
    }
  }

  private List<StoreTransfer.Plan> plans(CheckpointStore from) throws IOException {
    List<GroupId> groups = selection.groups(from);
    for (GroupId group : groups) {
      if (!GroupBirth.lives(from, group).isEmpty()) {
        throw new IllegalArgumentException(
            from.describe() + " is a node's directory: copy from a store");
      }
    }
    List<StoreTransfer.Plan> plans = new ArrayList<>();
    if (!checkpoint.isEmpty()) {
      CheckpointId id = CheckpointName.find(groups, checkpoint, from);
      return List.of(StoreTransfer.plan(from, id.group(), Optional.of(id)));
    }
    for (GroupId group : groups) {
      plans.add(StoreTransfer.plan(from, group, Optional.empty()));
    }
    return plans;
  }

  /**
   * Copies what was planned, and plans again what a training has deleted meanwhile.
   *
   * @param single whether the user chose one checkpoint, which no other one replaces
   */
  static Report copy(
      CheckpointStore from, CheckpointStore to, List<StoreTransfer.Plan> plans, boolean single)
      throws IOException {
    String unused = StoreIdentity.of(to); // as at the first use by a training
    List<Line> lines = new ArrayList<>();
    long total = plans.stream().mapToLong(StoreTransfer.Plan::bytes).sum();
    boolean good = true;
    try (Progress progress = Progress.start("copy", total)) {
      StoreTransfer transfer = new StoreTransfer(from, to, progress::advance);
      for (StoreTransfer.Plan plan : plans) {
        Collection<StoreTransfer.Result> results =
            single ? transfer.run(plan) : run(transfer, from, plan);
        results.forEach(result -> lines.add(Line.of(result)));
        good &= isGood(results);
      }
    }
    long copied =
        lines.stream()
            .filter(each -> each.state() == StoreTransfer.State.COPIED)
            .mapToLong(Line::bytes)
            .sum();
    return new Report(from.describe(), to.describe(), good, copied, lines);
  }

  private static Collection<StoreTransfer.Result> run(
      StoreTransfer transfer, CheckpointStore from, StoreTransfer.Plan first) throws IOException {
    Map<CheckpointId, StoreTransfer.Result> results = new TreeMap<>();
    StoreTransfer.Plan plan = first;
    boolean gone = true;
    for (int attempt = 0; gone && attempt < ATTEMPTS; attempt++) {
      List<StoreTransfer.Result> now = transfer.run(plan);
      now.forEach(each -> results.put(each.id(), each));
      gone = now.stream().anyMatch(each -> each.state() == StoreTransfer.State.GONE);
      if (gone) {
        plan = StoreTransfer.plan(from, first.group(), Optional.empty());
      }
    }
    return results.values();
  }

  /** Whether all that is left is there; a group of which nothing is there was not copied. */
  private static boolean isGood(Collection<StoreTransfer.Result> results) {
    return results.stream().noneMatch(each -> each.state() == StoreTransfer.State.REFUSED)
        && (results.isEmpty()
            || results.stream().anyMatch(each -> each.state() != StoreTransfer.State.GONE));
  }

  private static void print(Report report, PrintWriter out) {
    Table table = new Table("group", "checkpoint", "state", ">size", "reason");
    for (Line each : report.checkpoints()) {
      table.row(
          each.group(),
          each.checkpoint(),
          each.state().name().toLowerCase(Locale.ROOT),
          Units.bytes(each.bytes()),
          each.reason());
    }
    if (table.isEmpty()) {
      out.println(report.from() + " holds no checkpoints that count");
    } else {
      table.lines().forEach(out::println);
      out.println(
          "%s copied to %s%s"
              .formatted(
                  Units.bytes(report.bytes()),
                  report.to(),
                  report.good() ? ", and read back" : "; not all are there"));
    }
  }
}
