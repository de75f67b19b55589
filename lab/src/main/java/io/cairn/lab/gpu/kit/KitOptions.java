package io.cairn.lab.gpu.kit;

import io.cairn.cache.memory.cuda.CudaOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The arguments of {@code run.sh}.
 *
 * @param library the driver's, by name or absolute path
 * @param ordinal of the GPU, in the driver's order
 * @param torch the directory of libtorch's libraries; empty to look for one
 * @param small whether sizes are small, so that times mean nothing
 * @param json where the report goes
 * @param scratch for files; the largest part keeps several times its state there
 * @param deadline of each part, if its own is later
 * @param parts that run, beside the machine's
 */
record KitOptions(
    String library,
    int ordinal,
    String torch,
    boolean small,
    Path json,
    Path scratch,
    Duration deadline,
    Set<KitPart> parts) {
  static final String USAGE =
      """
      run.sh [--small] [--library PATH] [--gpu N] [--torch DIR] [--output FILE] [--scratch DIR]
             [--deadline S] [--parts A,B]
        --small         small sizes: a few seconds, and no verdict about speed
        --library PATH  the driver's library, instead of libcuda.so.1
        --gpu N         the GPU, in the driver's order; 0 by default
        --torch DIR     libtorch's libraries; those of python3, or LD_LIBRARY_PATH, by default
        --output FILE   where the report goes; gpu-report.json by default
        --scratch DIR   for files, some GB without --small; the temporary directory by default
        --deadline S    seconds after which each part is killed, if not earlier
        --parts A,B     some parts alone:\
      """;

  private static final Set<String> NAMES =
      Set.of("--library", "--gpu", "--torch", "--output", "--scratch", "--deadline", "--parts");
  private static final String NO_DEADLINE = "86400";

  /**
   * Parses arguments.
   *
   * @throws IllegalArgumentException naming the word that is wrong
   */
  static KitOptions parse(List<String> words) {
    Map<String, String> values = new HashMap<>();
    boolean small = false;
    for (int i = 0; i < words.size(); i++) {
      String name = words.get(i);
      if (name.equals("--small")) {
        small = true;
      } else if (NAMES.contains(name) && i + 1 < words.size()) {
        i++;
        values.put(name, words.get(i));
      } else {
        throw new IllegalArgumentException(name + " is no option, or lacks its value");
      }
    }
    String parts = values.get("--parts");
    return new KitOptions(
        values.getOrDefault("--library", CudaOptions.LIBRARY),
        Integer.parseInt(values.getOrDefault("--gpu", "0")),
        values.getOrDefault("--torch", ""),
        small,
        Path.of(values.getOrDefault("--output", "gpu-report.json")),
        Path.of(values.getOrDefault("--scratch", System.getProperty("java.io.tmpdir"))),
        Duration.ofSeconds(Long.parseLong(values.getOrDefault("--deadline", NO_DEADLINE))),
        parts == null ? EnumSet.allOf(KitPart.class) : KitPart.named(parts));
  }

  /** When a part is killed, after its start. */
  Duration deadline(KitPart part) {
    return deadline.compareTo(part.deadline()) < 0 ? deadline : part.deadline();
  }

  /** The words for a process of one part, which has a directory of its own. */
  List<String> words(Path directory) {
    List<String> words = new ArrayList<>(List.of("--library", library));
    words.addAll(List.of("--gpu", Integer.toString(ordinal), "--scratch", directory.toString()));
    if (!torch.isEmpty()) {
      words.addAll(List.of("--torch", torch));
    }
    if (small) {
      words.add("--small");
    }
    return words;
  }
}
