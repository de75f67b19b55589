package io.cairn.cli;

import io.cairn.flush.format.ContainerScan;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Prints an {@link Inspection} for people. */
final class InspectionText {
  private final PrintWriter out;

  InspectionText(PrintWriter out) {
    this.out = out;
  }

  void print(Inspection inspection) {
    out.println(inspection.name() + " in " + inspection.place());
    inspection.manifests().forEach(this::print);
    print(containers(inspection));
    print(regions(inspection));
    inspection.files().stream()
        .flatMap(file -> file.holders().stream())
        .distinct()
        .forEach(
            each ->
                out.println(
                    "  leans on: %s of %s (%s)"
                        .formatted(each.file(), each.checkpoint(), Units.bytes(each.bytes()))));
    if (!inspection.otherFiles().isEmpty()) {
      out.println("  other files: " + String.join(", ", inspection.otherFiles()));
    }
    inspection.breaks().forEach(each -> out.println("  broken: " + each));
    out.println(
        "  " + (inspection.good() ? "all good" : Units.count(inspection.breaks().size(), "break")));
  }

  private void print(Inspection.Manifest manifest) {
    out.println("  manifest: " + manifest.file());
    line("version", manifest.version() + ", " + Units.bytes(manifest.bytes()));
    line("sha256", manifest.sha256());
    if (manifest.size() == 0) {
      line("readable", Units.count(manifest.lines(), "line") + " before the damage");
      return;
    }
    line("ranks", manifest.size() + ", nonce " + manifest.nonce());
    line("parent", manifest.parent());
    line("ancestors", String.join(", ", manifest.ancestors()));
    line("sealed", manifest.sealed());
    line("score", Objects.toString(manifest.score(), ""));
    line("label", manifest.label());
  }

  private void line(String name, String value) {
    if (!value.isEmpty()) {
      out.printf("    %-10s %s%n", name, value);
    }
  }

  private static Table containers(Inspection inspection) {
    Table table =
        new Table("container", ">size", "version", "header", "index", ">chunks", "readable", "in");
    for (Inspection.Container each : inspection.files()) {
      ContainerScan.Head head = each.head();
      table.row(
          each.file(),
          Units.bytes(each.bytes()),
          head == null ? "" : head.version(),
          head == null ? "damaged" : head.id().label(),
          index(each),
          each.chunks(),
          each.index() == null ? "unknown" : readable(each),
          each.named() ? "manifest" : "no manifest");
    }
    return table;
  }

  private static String readable(Inspection.Container each) {
    return each.goodChunks() == each.chunks() ? "all" : String.valueOf(each.goodChunks());
  }

  private static String index(Inspection.Container each) {
    ContainerScan.IndexPlace index = each.index();
    return index == null
        ? "lost"
        : "at " + index.offset() + (index.searched() ? ", found by its content" : "");
  }

  private static Table regions(Inspection inspection) {
    Table table =
        new Table(
            ">rank",
            "region",
            "kind",
            ">size",
            ">chunks",
            ">here",
            ">leaned",
            ">elsewhere",
            ">stored",
            "encodings",
            "options",
            "bad chunks");
    for (Inspection.Container file : inspection.files()) {
      for (Inspection.Region each : file.regions()) {
        table.row(
            each.rank(),
            each.name(),
            each.kind(),
            Units.bytes(each.bytes()),
            each.chunks(),
            each.here(),
            each.leaned(),
            each.elsewhere(),
            Units.bytes(each.storedBytes()),
            encodings(each.encodings()),
            options(each),
            ranges(each.badChunks()));
      }
    }
    return table;
  }

  private static String encodings(Map<String, Integer> encodings) {
    return encodings.entrySet().stream()
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }

  private static String options(Inspection.Region region) {
    List<String> options = new ArrayList<>();
    add(options, "", region.layout());
    add(options, "codec ", region.codec());
    add(options, "lossy ", region.lossy());
    return String.join(", ", options);
  }

  private static void add(List<String> options, String name, String value) {
    if (!value.isEmpty()) {
      options.add(name + value);
    }
  }

  /** Rising numbers as ranges: {@code 3, 7–9}. */
  static String ranges(List<Integer> numbers) {
    List<String> ranges = new ArrayList<>();
    int from = 0;
    for (int i = 1; i <= numbers.size(); i++) {
      if (i == numbers.size() || numbers.get(i) != numbers.get(i - 1) + 1) {
        int first = numbers.get(from);
        int last = numbers.get(i - 1);
        ranges.add(first == last ? "" + first : first + "–" + last);
        from = i;
      }
    }
    return String.join(", ", ranges);
  }

  private void print(Table table) {
    if (!table.isEmpty()) {
      out.println();
      table.lines().forEach(line -> out.println("  " + line));
      out.println();
    }
  }
}
