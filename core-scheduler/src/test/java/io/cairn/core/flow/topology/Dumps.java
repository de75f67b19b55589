package io.cairn.core.flow.topology;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The files of {@code nvidia-smi-topo}; {@code sources.csv} says where each is from. */
final class Dumps {
  static final List<String> NAMES =
      List.of(
          "dgx1-p100",
          "dgx1-v100-four-nics",
          "v100-sxm2-cube-mesh",
          "power9-v100",
          "two-a100-pcie",
          "a100-seventeen-nics",
          "two-gtx-1080ti",
          "aws-p4d-24xlarge-a100",
          "aws-p5-48xlarge-h100",
          "aws-g6e-12xlarge-l40s",
          "three-rtx-a6000",
          "gh200-four",
          "four-l40s",
          "eight-rtx-4090");

  private Dumps() {}

  static String read(String name) {
    String path = "/nvidia-smi-topo/" + name;
    try (InputStream in = Objects.requireNonNull(Dumps.class.getResourceAsStream(path), path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
  }
}
