package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.cli.Leftovers.Leftover;
import io.cairn.engine.config.OwnDirectories;
import io.cairn.engine.promotion.Uptime;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cairn gc}: deletes the files that processes and jobs of Cairn left behind. */
@Command(
    name = "gc",
    description = {
      "Delete what ended processes and jobs left behind.",
      "%nLists the arenas of dead processes and the node directories that nobody has written to"
          + " for a while, on this machine; with STORE and --job also the checkpoints of a job"
          + " whose groups have all ended. Deletes them only with --delete."
    })
final class GcCommand implements Callable<Integer> {
  @Option(
      names = "--device",
      paramLabel = "DIR",
      description = "The setting device.dir. Default: that of this user.")
  private @Nullable Path device;

  @Option(
      names = "--node",
      paramLabel = "DIR",
      description = "The setting node.dir. Default: that of this user.")
  private @Nullable Path node;

  @Option(
      names = "--idle-days",
      paramLabel = "N",
      defaultValue = "7",
      description =
          "Node directories count if nothing was written for so long while the machine ran, as far"
              + " as trainings and gc --delete have looked (${DEFAULT-VALUE}). 0: any age.")
  private int idleDays;

  @ArgGroup(exclusive = false)
  private @Nullable Job job;

  @Option(names = "--delete", description = "Delete what is listed.")
  private boolean delete;

  @Mixin private HadoopOption hadoop = new HadoopOption();

  @Mixin private JsonOption json = new JsonOption();

  /** A job of a store. */
  private static final class Job {
    @Parameters(paramLabel = "STORE", description = "The store of the job.")
    private String store = "";

    @Option(
        names = "--job",
        paramLabel = "JOB",
        required = true,
        description = "A job whose checkpoints may go.")
    private String name = "";

    @Option(
        names = "--ended",
        description = "No training of this job runs any more, whatever the store shows.")
    private boolean ended;
  }

  /** One line of the result; {@code idleSeconds} is null at a store. */
  record Line(String kind, String path, long bytes, @Nullable Long idleSeconds, String why) {}

  /** Something on this machine that stays. */
  record Stays(String path, String why) {}

  /** The content of {@code --json}. */
  record Report(boolean deleted, long bytes, List<Line> leftovers, List<Stays> kept) {}

  @Override
  public Integer call() throws IOException {
    if (idleDays < 0) {
      throw new IllegalArgumentException("--idle-days is " + idleDays + ": give 0 or more");
    }
    if (job == null && !hadoop.keys().isEmpty()) {
      throw new IllegalArgumentException("--hadoop is of use with STORE alone");
    }
    Leftovers onThisMachine = onThisMachine();
    List<Line> lines = new ArrayList<>();
    Job chosen = job;
    if (chosen == null) {
      report(onThisMachine, lines, () -> {});
      return ExitCodes.GOOD;
    }
    try (CheckpointStore store =
        delete
            ? CheckpointStores.openExisting(chosen.store, hadoop.keys())
            : CheckpointStores.openForReading(chosen.store, hadoop.keys())) {
      Map<GroupId, SortedSet<CheckpointId>> ended = ended(chosen, store);
      report(onThisMachine, lines, () -> checkpoints(chosen, store, ended, lines));
    }
    return ExitCodes.GOOD;
  }

  private interface Step {
    void run() throws IOException;
  }

  /** A failure does not hide the deletes before it. */
  private void report(Leftovers onThisMachine, List<Line> lines, Step checkpoints)
      throws IOException {
    try {
      thisMachine(onThisMachine, lines);
      checkpoints.run();
    } catch (IOException | RuntimeException e) {
      if (delete && !lines.isEmpty()) {
        print(onThisMachine, lines);
      }
      throw e;
    }
    print(onThisMachine, lines);
  }

  private void print(Leftovers onThisMachine, List<Line> lines) throws IOException {
    List<Stays> kept =
        onThisMachine.kept().stream()
            .map(stays -> new Stays(stays.path().toString(), stays.why()))
            .toList();
    Report report = new Report(delete, lines.stream().mapToLong(Line::bytes).sum(), lines, kept);
    json.print(report, out -> print(report, out));
  }

  private void thisMachine(Leftovers onThisMachine, List<Line> lines) throws IOException {
    for (Leftover leftover : onThisMachine.found()) {
      if (!delete || onThisMachine.delete(leftover)) {
        lines.add(
            new Line(
                leftover.kind(),
                leftover.path().toString(),
                leftover.bytes(),
                leftover.idle().toSeconds(),
                leftover.why()));
      }
    }
  }

  /** The named directories; the defaults of the settings where none is named. */
  private Leftovers onThisMachine() throws IOException {
    Leftovers leftovers = new Leftovers(Instant.now(), Uptime.ofMachine(), delete);
    Duration idle = Duration.ofDays(idleDays);
    if (device != null) {
      leftovers.arenas(device);
    }
    if (node != null) {
      leftovers.nodes(node, idle);
    }
    for (Path own : OwnDirectories.defaults()) {
      if ((device == null || node == null) && leftovers.areOwn(own)) {
        if (device == null) {
          leftovers.arenas(own.resolve("device"));
        }
        if (node == null) {
          leftovers.nodes(own.resolve("node"), idle);
        }
      }
    }
    return leftovers;
  }

  /** The checkpoints of each group of a job, all of which have ended. */
  private static Map<GroupId, SortedSet<CheckpointId>> ended(Job chosen, CheckpointStore store)
      throws IOException {
    List<String> unused = GroupSelection.chosen("job", chosen.name, Inventory.jobs(store), store);
    Map<GroupId, SortedSet<CheckpointId>> ended = new LinkedHashMap<>();
    for (GroupId group : Inventory.groups(store, chosen.name)) {
      ended.put(group, ended(store, group, chosen.ended));
    }
    return ended;
  }

  private void checkpoints(
      Job chosen,
      CheckpointStore store,
      Map<GroupId, SortedSet<CheckpointId>> ended,
      List<Line> lines)
      throws IOException {
    for (Map.Entry<GroupId, SortedSet<CheckpointId>> group : ended.entrySet()) {
      if (delete) {
        delete(store, group.getKey(), chosen.ended, lines);
      } else {
        for (CheckpointId id : group.getValue()) {
          lines.add(line(store, id));
        }
      }
    }
  }

  /**
   * Deletes the checkpoints of a group. It is asked once more whether it has ended: somebody may
   * have begun it again meanwhile. Its epochs stay, since a later run has to begin a later one.
   *
   * @param certain that no training of it runs, whatever the store shows
   * @param lines receives those that are gone, also if others are not
   * @throws IllegalArgumentException as {@link #ended}
   * @throws IOException if a delete failed
   */
  static void delete(CheckpointStore store, GroupId group, boolean certain, List<Line> lines)
      throws IOException {
    SortedMap<CheckpointId, Line> all = new TreeMap<>();
    for (CheckpointId id : ended(store, group, certain)) {
      all.put(id, line(store, id));
    }
    new GroupMemory(store).forgetSeals(group);
    Retention.Report report = Retention.ofEnded(store).delete(all.keySet());
    all.keySet().retainAll(report.deleted());
    lines.addAll(all.values());
    report.requireDone();
  }

  private static Line line(CheckpointStore store, CheckpointId id) throws IOException {
    String path = StoreNames.checkpoint(id);
    long bytes = store.list(path).stream().mapToLong(StoreEntry::bytes).sum();
    return new Line("store", path, bytes, null, "its job ended");
  }

  /**
   * All checkpoints of a group.
   *
   * @throws IllegalArgumentException if its training has not ended in order, or was begun again
   */
  private static SortedSet<CheckpointId> ended(
      CheckpointStore store, GroupId group, boolean certain) throws IOException {
    SortedSet<CheckpointId> all = Inventory.list(store, group).everything();
    if (all.isEmpty() || certain) {
      return all;
    }
    GroupMemory memory = new GroupMemory(store);
    boolean ended = memory.hasEnded(all.last()); // and not with an older one, on another line
    CheckpointId end =
        memory
            .end(group)
            .filter(last -> ended)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        group
                            + " has not ended, so its job may still be resumed: nothing of it is"
                            + " deleted"));
    EpochFiles epochs = new EpochFiles(store);
    long newest = epochs.newestTrace(group);
    if (newest > end.epoch()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              ("%s was begun again, in epoch %d by %s, and may need any of its checkpoints: nothing"
                  + " of it is deleted. If that is over, add --ended"),
              group,
              newest,
              epochs.holder(group, newest).orElse("unknown").replace("\n", " at ")));
    }
    return all;
  }

  private void print(Report report, PrintWriter out) {
    Table table = new Table("kind", ">size", ">idle", "path", "why");
    report
        .leftovers()
        .forEach(
            line ->
                table.row(
                    line.kind(),
                    Units.bytes(line.bytes()),
                    line.idleSeconds() == null ? "" : Units.seconds(line.idleSeconds()),
                    line.path(),
                    line.why()));
    report.kept().forEach(stays -> out.println("Stays: " + stays.path() + " " + stays.why()));
    if (report.leftovers().isEmpty()) {
      out.println("Nothing was left behind");
    } else {
      table.lines().forEach(out::println);
      String what =
          Units.bytes(report.bytes()) + " in " + Units.count(report.leftovers().size(), "place");
      out.println(delete ? "Deleted: " + what : what + "; --delete deletes them");
    }
  }
}
