package io.cairn.cli;

import io.cairn.GroupId;
import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.RetentionPolicy;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn prune}: deletes the checkpoints that a policy does not keep. */
@Command(
    name = "prune",
    description = {
      "Show what a policy keeps, and delete the rest with --yes.",
      "The policies add up, as the settings of a training do. The newest checkpoint that can be"
          + " restored always stays, and so does whatever a kept one leans on.",
      "Exit code 0: shown or done; 1: some are damaged, or a delete failed; 2: refused, since a"
          + " training may need them."
    })
final class PruneCommand implements Callable<Integer> {
  @Mixin private GroupSelection selection = new GroupSelection();

  @ArgGroup(exclusive = false, multiplicity = "1")
  private Rules rules = new Rules();

  @Option(
      names = "--best",
      paramLabel = "lowest|highest",
      defaultValue = "lowest",
      description = "Which score is the best (${DEFAULT-VALUE}).")
  private String best = "";

  @Option(names = "--yes", description = "Delete what is shown as going.")
  private boolean yes;

  @Option(
      names = "--ended",
      description =
          "No training of these groups runs any more, whatever the store shows: also prune those"
              + " whose newest epoch sealed nothing.")
  private boolean ended;

  @Option(
      names = "--node",
      paramLabel = "DIR",
      description =
          "With --discard: a node's directory (spark.cairn.node.dir), whose copies go, too; may be"
              + " repeated.")
  private List<Path> nodes = List.of();

  @Mixin private JsonOption json = new JsonOption();

  /** At least one of them has to be given. */
  private static final class Rules {
    @Option(names = "--keep-last", paramLabel = "N", description = "Keep the newest N. Least: 1.")
    private String last = "1";

    @Option(
        names = "--keep-within",
        paramLabel = "TIME",
        description = "Keep those sealed less than this before the newest, such as 12h or 30d.")
    private String within = "0s";

    @Option(names = "--keep-best", paramLabel = "N", description = "Keep the N best by score.")
    private String best = "0";

    @Option(
        names = "--keep-every",
        paramLabel = "N",
        description = "Keep the first of each N iterations.")
    private String every = "0";

    @Option(
        names = "--discard",
        paramLabel = "CHECKPOINT",
        description = {
          "Delete this checkpoint alone, such as e1-i20, even if it is the newest: its state is"
              + " poisoned, or its manifest cannot be read. A restore takes the next older one."
        })
    private String discard = "";

    RetentionPolicy policy(String order) {
      if (!order.equals("lowest") && !order.equals("highest")) {
        throw new IllegalArgumentException(
            "--best is '%s': give lowest or highest".formatted(order));
      }
      return keep(
          String.join(
              ",",
              rule("--keep-last", "newest", last),
              rule("--keep-within", "younger", within),
              rule("--keep-best", order, best),
              rule("--keep-every", "every", every)));
    }

    /** A message names the option that was written, and not the setting that it stands for. */
    private static String rule(String option, String name, String value) {
      String rule = name + ":" + value;
      try {
        RetentionPolicy unused = keep(rule);
        return rule;
      } catch (IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        throw new IllegalArgumentException(
            "%s is '%s': %s"
                .formatted(option, value, message.substring(message.indexOf("': ") + 3)),
            e);
      }
    }

    /** STORE is named, so a user without a home needs no default. */
    private static RetentionPolicy keep(String rules) {
      return CairnConfig.of(Map.of("store", "/", "keep", rules)).retention();
    }
  }

  /**
   * The content of {@code --json}.
   *
   * @param deleted whether all deletes were carried out
   * @param freed bytes that they have freed, or without {@code --yes} would free
   * @param problems deletes that failed
   */
  record Report(
      String store,
      boolean good,
      boolean deleted,
      long freed,
      List<Group> groups,
      List<String> problems) {}

  /**
   * One group.
   *
   * @param held why nothing of it may be deleted; empty if nothing speaks against it
   */
  record Group(String group, String held, boolean restorable, List<Pruning.Fate> checkpoints) {
    long freed() {
      return checkpoints.stream().mapToLong(Pruning.Fate::freed).sum();
    }
  }

  @Override
  public Integer call() throws IOException {
    RetentionPolicy policy = rules.policy(best);
    try (CheckpointStore store = yes ? selection.openExisting() : selection.openForReading()) {
      if (!rules.discard.isEmpty()) {
        discard(store, policy);
        return ExitCodes.GOOD;
      } else if (!nodes.isEmpty()) {
        throw new IllegalArgumentException("--node is of use with --discard alone");
      }
      Report report = prune(store, policy);
      json.print(report, out -> print(report, out));
      return report.good() ? ExitCodes.GOOD : ExitCodes.BAD;
    }
  }

  private void discard(CheckpointStore store, RetentionPolicy policy) throws IOException {
    Discard discard = Discard.of(store, selection.groups(store), rules.discard);
    GroupId group = discard.id().group();
    Optional<String> held = new Pruning(store, group, policy, ended).refusal();
    if (yes && held.isPresent()) {
      throw held(group.toString(), held.get());
    } else if (yes) {
      discard.run(nodes);
    }
    Discarded discarded =
        new Discarded(
            group.toString(), discard.id().label(), yes, held.orElse(""), discard.next().label());
    json.print(discarded, out -> print(discarded, out));
  }

  private static void print(Discarded discarded, PrintWriter out) {
    if (!discarded.held().isEmpty()) {
      out.println("held: " + discarded.held());
    }
    out.printf(
        "%s %s: %s; a restore takes %s then, unless a node has a newer copy%n",
        discarded.group(),
        discarded.checkpoint(),
        discarded.deleted() ? "deleted" : "goes with --yes",
        discarded.next());
  }

  /**
   * The content of {@code --json} with {@code --discard}.
   *
   * @param held why nothing of the group may be deleted; empty if nothing speaks against it
   * @param next the checkpoint that a restore takes then
   */
  record Discarded(String group, String checkpoint, boolean deleted, String held, String next) {}

  private static IllegalArgumentException held(String group, String reason) {
    return new IllegalArgumentException(
        "%s: %s; nothing was deleted. If that is over, add --ended".formatted(group, reason));
  }

  /** Shows the fates and, if this was asked for, carries them out. */
  private Report prune(CheckpointStore store, RetentionPolicy policy) throws IOException {
    List<GroupId> ids = selection.groups(store);
    List<Pruning> prunings = new ArrayList<>();
    for (GroupId id : ids) {
      if (!GroupBirth.lives(store, id).isEmpty()) {
        throw new IllegalArgumentException(
            store.describe() + " is a node's directory, which its trainings prune");
      }
      prunings.add(new Pruning(store, id, policy, ended));
    }
    examine(prunings);
    List<Group> groups = new ArrayList<>();
    boolean good = true;
    for (int i = 0; i < prunings.size(); i++) {
      Pruning pruning = prunings.get(i);
      String held = pruning.refusal().orElse("");
      groups.add(new Group(ids.get(i).toString(), held, pruning.isRestorable(), pruning.fates()));
      good &= !pruning.isDamaged();
    }
    List<String> problems = yes ? delete(prunings, groups) : List.of();
    long freed = groups.stream().mapToLong(Group::freed).sum();
    boolean whole = problems.isEmpty();
    return new Report(store.describe(), good && whole, yes && whole, freed, groups, problems);
  }

  private static void examine(List<Pruning> prunings) throws IOException {
    long total = prunings.stream().mapToLong(Pruning::newestBytes).sum();
    try (Progress progress = Progress.start("prune", total)) {
      for (Pruning each : prunings) {
        each.examine(progress::advance);
      }
    }
  }

  /**
   * Nothing is deleted if one of the groups is held. Replaces the groups by what became of them.
   */
  private static List<String> delete(List<Pruning> prunings, List<Group> groups) {
    for (Group group : groups) {
      if (!group.held().isEmpty()) {
        throw held(group.group(), group.held());
      }
    }
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < prunings.size(); i++) {
      if (prunings.get(i).isRestorable()) {
        Group shown = groups.get(i);
        Pruning.Deleted deleted = prunings.get(i).delete(shown.checkpoints());
        problems.addAll(deleted.problems());
        groups.set(i, new Group(shown.group(), shown.held(), true, deleted.fates()));
      }
    }
    return problems;
  }

  private void print(Report report, PrintWriter out) {
    for (Group group : report.groups()) {
      out.println(group.group());
      Table table = new Table("checkpoint", "", ">size", ">frees", "why");
      for (Pruning.Fate each : group.checkpoints()) {
        table.row(
            each.checkpoint(),
            verb(each),
            Units.bytes(each.bytes()),
            each.stays() ? "" : Units.bytes(each.freed()),
            each.reason());
      }
      if (!table.isEmpty()) {
        table.lines().forEach(line -> out.println("  " + line));
      }
      if (!group.held().isEmpty()) {
        out.println("  held: " + group.held());
      }
      if (!group.restorable() && !group.checkpoints().isEmpty()) {
        out.println("  none of them can be restored, so all stay");
      }
    }
    report.problems().forEach(each -> out.println("not deleted: " + each));
    String freed = Units.bytes(report.freed());
    out.println(yes ? "Deleted: " + freed : freed + " would be freed; --yes deletes them");
  }

  private String verb(Pruning.Fate fate) {
    return fate.stays() ? "stays" : yes ? "gone" : "goes";
  }
}
