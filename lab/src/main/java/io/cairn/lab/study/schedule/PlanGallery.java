package io.cairn.lab.study.schedule;

import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.TransferPlan;
import io.cairn.lab.study.chart.Pictures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A directory with a picture per plan, in the order of the lines that they answer. */
final class PlanGallery {
  /** The reason for leaving a plan out. */
  static final String LIMIT = "pictures show 256 devices at most";

  private static final int MOST_DEVICES = 256;

  private final Path directory;

  /** Makes the directory. */
  PlanGallery(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
  }

  /** Draws a plan into {@code <line>-<id>.svg}; false if it is too large to be readable. */
  boolean add(
      long line, @Nullable String id, Algorithm algorithm, FlowProblem problem, TransferPlan plan)
      throws IOException {
    if (problem.devices() > MOST_DEVICES) {
      return false;
    }
    String shown = id == null ? "line " + line : id;
    String svg = new PlanDrawing(shown + ", " + algorithm, problem, plan).svg();
    Files.writeString(directory.resolve(Pictures.fileName(line, shown) + ".svg"), svg);
    return true;
  }
}
