package io.cairn.lab.gpu.kit;

import io.cairn.cache.memory.cuda.CudaOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The arguments of {@code run.sh}.
 *
 * @param library the driver's, by name or absolute path
 * @param ordinal of the GPU, in the driver's order
 * @param small whether sizes are small, so that times mean nothing
 * @param json where the report goes
 * @param scratch for files; the largest part keeps several times its state there
 * @param parts that run, beside the machine's
 */
record KitOptions(
    String library, int ordinal, boolean small, Path json, Path scratch, Set<Part> parts) {
  private static final String PARTS = "--parts";

  static final String USAGE =
      """
      run.sh [--small] [--library PATH] [--gpu N] [--json FILE] [--scratch DIR] [--parts A,B]
        --small         small sizes: a few seconds, and no verdict about speed
        --library PATH  the driver's library, instead of libcuda.so.1
        --gpu N         the GPU, in the driver's order; 0 by default
        --json FILE     where the report goes; gpu-report.json by default
        --scratch DIR   for files, some GB without --small; the temporary directory by default
        --parts A,B     some parts alone:\
      """;

  /**
   * Parses arguments.
   *
   * @throws IllegalArgumentException naming the word that is wrong
   */
  static KitOptions parse(List<String> words) {
    KitOptions options =
        new KitOptions(
            CudaOptions.LIBRARY,
            0,
            false,
            Path.of("gpu-report.json"),
            Path.of(System.getProperty("java.io.tmpdir")),
            EnumSet.allOf(Part.class));
    for (int i = 0; i < words.size(); i++) {
      String name = words.get(i);
      if (name.equals("--small")) {
        options = options.makeSmall();
      } else if (i + 1 < words.size()) {
        i++;
        options = options.with(name, words.get(i));
      } else {
        throw new IllegalArgumentException(name + " is no option, or lacks its value");
      }
    }
    return options;
  }

  private KitOptions makeSmall() {
    return new KitOptions(library, ordinal, true, json, scratch, parts);
  }

  private KitOptions with(String name, String value) {
    return switch (name) {
      case "--library" -> new KitOptions(value, ordinal, small, json, scratch, parts);
      case "--gpu" -> new KitOptions(library, Integer.parseInt(value), small, json, scratch, parts);
      case "--json" -> new KitOptions(library, ordinal, small, Path.of(value), scratch, parts);
      case "--scratch" -> new KitOptions(library, ordinal, small, json, Path.of(value), parts);
      case PARTS -> new KitOptions(library, ordinal, small, json, scratch, Part.named(value));
      default -> throw new IllegalArgumentException(name + " is no option");
    };
  }

  /** The words for a process of one part, which has a directory of its own. */
  List<String> words(Path directory) {
    List<String> words = new ArrayList<>(List.of("--library", library));
    words.addAll(List.of("--gpu", Integer.toString(ordinal), "--scratch", directory.toString()));
    if (small) {
      words.add("--small");
    }
    return words;
  }
}
