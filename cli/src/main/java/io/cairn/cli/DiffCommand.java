package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cairn diff}: where two checkpoints of a group differ, and by how much. */
@Command(
    name = "diff",
    description = {
      "Compare two checkpoints of a group, down to the numbers.",
      "Reads both chunk by chunk, and shows the largest differences. A region is one of numbers if"
          + " the manifest says so, or --as does.",
      "Exit code 0: all of both was read, whether they differ or not; 1: something is damaged."
    })
final class DiffCommand implements Callable<Integer> {
  @Mixin private GroupSelection selection = new GroupSelection();

  @Parameters(index = "1", paramLabel = "CHECKPOINT", description = "A checkpoint, such as e3-i42.")
  private String first = "";

  @Parameters(
      index = "2",
      paramLabel = "CHECKPOINT",
      description = "Another one of the same group.")
  private String second = "";

  @Option(
      names = "--as",
      paramLabel = "[REGION=]ELEMENT",
      description =
          "float, double, byte, short, int or long: the numbers of a region, or of all regions that"
              + " are plain bytes or nothing in the manifest. May be repeated.")
  private List<String> elements = List.of();

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    Elements as = Elements.parse(elements);
    try (CheckpointStore store = selection.openForReading()) {
      CheckpointDiff diff = diff(store, as);
      json.print(diff, out -> print(diff, out));
      return diff.damage().isEmpty() ? ExitCodes.GOOD : ExitCodes.BAD;
    }
  }

  private CheckpointDiff diff(CheckpointStore store, Elements as) throws IOException {
    List<Pair> pairs = new ArrayList<>();
    for (GroupId group : selection.groups(store)) {
      CheckpointId a = CheckpointName.parse(group, first);
      CheckpointId b = CheckpointName.parse(group, second);
      for (CheckpointStore life : Lives.of(store, group)) {
        if (Inventory.list(life, group).everything().containsAll(Set.of(a, b))) {
          pairs.add(new Pair(life, a, b));
        }
      }
    }
    if (pairs.size() != 1) {
      throw new IllegalArgumentException(
          pairs.isEmpty()
              ? "no group of %s has both %s and %s".formatted(store.describe(), first, second)
              : "several groups have both %s and %s; say which by --job and --group"
                  .formatted(first, second));
    }
    Pair pair = pairs.get(0);
    CheckpointDiffer differ = new CheckpointDiffer(pair.store(), pair.a(), pair.b());
    try (Progress progress = Progress.start("diff", differ.bytes())) {
      return differ.run(as, progress::advance);
    }
  }

  /** Two checkpoints in the store that holds them. */
  private record Pair(CheckpointStore store, CheckpointId a, CheckpointId b) {}

  /**
   * The elements that the user names.
   *
   * @param otherwise for the regions that are not named
   */
  record Elements(Map<String, Element> byRegion, Optional<Element> otherwise) {
    static Elements parse(List<String> options) {
      Map<String, Element> byRegion = new HashMap<>();
      Optional<Element> otherwise = Optional.empty();
      for (String option : options) {
        int equals = option.lastIndexOf('=');
        Element element =
            Element.of(option.substring(equals + 1))
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "--as "
                                + option
                                + ": name float, double, byte, short, int or long, or"
                                + " REGION=float"));
        if (equals < 0) {
          otherwise = Optional.of(element);
        } else {
          byRegion.put(option.substring(0, equals), element);
        }
      }
      return new Elements(byRegion, otherwise);
    }

    /** The element of a region that the manifests give this one, if they give one. */
    Optional<Element> of(String region, Optional<Element> known) {
      Element named = byRegion.get(region);
      boolean plain = known.isEmpty() || known.get() == Element.BYTE;
      return named != null
          ? Optional.of(named)
          : plain && otherwise.isPresent() ? otherwise : known;
    }
  }

  private static void print(CheckpointDiff diff, PrintWriter out) {
    out.printf("%s: %s and %s in %s%n", diff.group(), diff.a(), diff.b(), diff.store());
    Table table =
        new Table(
            ">rank",
            "region",
            ">size",
            ">equal",
            ">differ",
            ">unreadable",
            ">first byte",
            "numbers",
            ">largest",
            ">at",
            ">relative",
            ">at");
    for (RegionDiff each : diff.regions()) {
      NumberDifferences.Summary numbers = each.numbers();
      NumberDifferences.@Nullable Largest absolute = numbers == null ? null : numbers.absolute();
      NumberDifferences.@Nullable Largest relative = numbers == null ? null : numbers.relative();
      table.row(
          each.rank(),
          each.region(),
          size(each),
          each.equalChunks(),
          each.differentChunks(),
          each.unreadableChunks(),
          each.firstDifference() == null ? "" : each.firstDifference(),
          numbers == null ? "" : numbers.different() + " of " + numbers.compared(),
          absolute == null ? "" : Double.toString(absolute.difference()),
          absolute == null ? "" : absolute.index(),
          relative == null ? "" : Double.toString(relative.difference()),
          relative == null ? "" : relative.index());
    }
    if (!table.isEmpty()) {
      table.lines().forEach(line -> out.println("  " + line));
    }
    diff.onlyInA().forEach(each -> out.println("  only in " + diff.a() + ": " + each));
    diff.onlyInB().forEach(each -> out.println("  only in " + diff.b() + ": " + each));
    diff.damage().forEach(each -> out.println("  damaged: " + each));
    out.println(diff.equal() ? "  equal" : diff.damage().isEmpty() ? "  different" : "  in doubt");
  }

  private static String size(RegionDiff each) {
    String a = Units.bytes(each.bytesA());
    return each.bytesA() == each.bytesB() ? a : a + " and " + Units.bytes(each.bytesB());
  }
}
