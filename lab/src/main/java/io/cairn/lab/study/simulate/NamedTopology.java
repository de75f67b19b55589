package io.cairn.lab.study.simulate;

import io.cairn.core.flow.Topology;
import io.cairn.core.flow.topology.NvidiaSmiTopology;
import io.cairn.core.flow.topology.PresetNames;
import io.cairn.lab.study.schedule.ProblemJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A topology under the name that a command line has for it.
 *
 * @param name of a preset or a file
 * @param topology what it stands for
 */
record NamedTopology(String name, Topology topology) {
  private static final int LONGEST_DUMP = 1 << 20;

  /**
   * The topology of a file, JSON or what {@code nvidia-smi topo -m} prints; else the preset.
   *
   * @throws IOException naming the file and what does not fit
   * @throws IllegalArgumentException if there is neither file nor preset of the name
   */
  static NamedTopology of(String name) throws IOException {
    Path file = Path.of(name);
    return new NamedTopology(
        name, Files.isRegularFile(file) ? read(file) : PresetNames.topology(name));
  }

  private static Topology read(Path file) throws IOException {
    String start;
    try (InputStream in = Files.newInputStream(file)) {
      start = new String(in.readNBytes(LONGEST_DUMP), StandardCharsets.UTF_8);
    }
    if (start.stripLeading().startsWith("{")) {
      return ProblemJson.topology(file);
    }
    try {
      return NvidiaSmiTopology.parse(start);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }
}
