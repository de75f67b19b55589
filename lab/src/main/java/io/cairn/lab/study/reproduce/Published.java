package io.cairn.lab.study.reproduce;

import io.cairn.cli.Json;
import io.cairn.lab.study.pattern.TwoLevelPlatform;
import io.cairn.lab.study.pattern.WasteModel;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The figures of the papers that are computed again here: parameters, values and remarks about
 * them. Facts and figures only.
 */
record Published(
    List<Source> sources,
    List<PublishedPlatform> platforms,
    List<PublishedRow> table2,
    List<PublishedRow> table3,
    Staging staging,
    Waste waste,
    List<Statement> statements,
    List<Note> notes) {
  private static final String RESOURCE = "published.json";

  /** A paper. */
  record Source(String name, String text) {}

  /** The platform of the non-blocking paper. */
  record Staging(
      double failuresPerSecond1,
      double failuresPerSecond2,
      double checkpointSeconds1,
      double flushGigabytes,
      double bandwidthGigabytesPerSecond,
      double flushSeconds,
      double overheadFactor) {

    /** The platform with other failures, another flush and another overhead factor. */
    TwoLevelPlatform platform(double failures, double seconds, double factor) {
      return new TwoLevelPlatform(
          failuresPerSecond1 * failures,
          failuresPerSecond2 * failures,
          checkpointSeconds1,
          checkpointSeconds1,
          seconds,
          seconds,
          seconds,
          factor,
          true,
          true);
    }

    /** The platform with failures and the cost of the upper level multiplied. */
    TwoLevelPlatform scaled(double failures, double cost) {
      return platform(failures, cost * flushSeconds, overheadFactor);
    }
  }

  /** The two versions of the heterogeneous paper. */
  record Waste(WasteModel original, WasteModel asynchronous) {}

  /** Reads the resource. */
  static Published read() throws IOException {
    try (@Nullable InputStream in = Published.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new FileNotFoundException(RESOURCE + " is not in this build of Cairn");
      }
      return Json.read(in, Published.class);
    }
  }

  PublishedPlatform platform(String name) {
    return platforms.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  String source(String name) {
    return sources.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow()
        .text();
  }

  List<Note> notes(String exhibit) {
    return notes.stream().filter(each -> each.exhibit().equals(exhibit)).toList();
  }

  /** The note that explains one number of an exhibit. */
  @Nullable Note note(String exhibit, String what) {
    return notes(exhibit).stream()
        .filter(each -> what.equals(each.what()))
        .findFirst()
        .orElse(null);
  }

  /** The printed values of some statements about an exhibit. */
  double[] printed(String exhibit, String... what) {
    return Arrays.stream(what)
        .map(
            each ->
                statements(exhibit).stream()
                    .filter(statement -> statement.what().equals(each))
                    .findFirst()
                    .orElseThrow())
        .mapToDouble(statement -> new Printed(statement.printed()).value())
        .toArray();
  }

  List<Statement> statements(String exhibit) {
    return statements.stream().filter(each -> each.exhibit().equals(exhibit)).toList();
  }
}
