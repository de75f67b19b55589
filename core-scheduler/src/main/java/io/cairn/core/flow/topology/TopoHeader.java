package io.cairn.core.flow.topology;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The line above the matrix: GPUs, then network cards, then columns of other things such as CPU
 * Affinity, which end it.
 *
 * @param columns names of GPUs and network cards
 * @param gpus how many of the columns, the first ones, are GPUs
 */
record TopoHeader(List<String> columns, int gpus) {
  private static final int MOST_COLUMNS = 1024;
  private static final int MOST_GPUS = 256;
  private static final Pattern GPU = Pattern.compile("GPU\\d{1,4}");
  private static final Pattern CARD = Pattern.compile("[A-Za-z][A-Za-z_.-]*\\d[\\w.-]*");
  private static final Set<String> OTHER = Set.of("CPU", "NUMA", "GPU");

  /**
   * Reads a line as a header; empty if it is not a header.
   *
   * @throws TopoSyntaxException if it is a header and names a device twice, or too many
   */
  static Optional<TopoHeader> parse(int line, List<String> tokens) {
    List<String> columns = new ArrayList<>();
    int gpus = 0;
    for (String token : tokens) {
      if (OTHER.contains(token)) {
        break;
      }
      List<String> names = unglued(token);
      boolean ofGpus = GPU.matcher(names.get(0)).matches();
      boolean misplaced = ofGpus ? gpus < columns.size() : columns.isEmpty();
      if (misplaced) {
        return Optional.empty();
      }
      for (String name : names) {
        boolean gpu = GPU.matcher(name).matches();
        if (!gpu && (PathCell.parse(name).isPresent() || !CARD.matcher(name).matches())) {
          return Optional.empty();
        }
        gpus += gpu ? 1 : 0;
        columns.add(name);
      }
    }
    return columns.isEmpty() ? Optional.empty() : Optional.of(checked(line, columns, gpus));
  }

  /** Splits names that lost the blanks between them in a terminal or a web page. */
  private static List<String> unglued(String token) {
    List<String> names = new ArrayList<>();
    Matcher matcher = GPU.matcher(token);
    int at = 0;
    while (matcher.region(at, token.length()).lookingAt()) {
      names.add(matcher.group());
      at = matcher.end();
    }
    if (at < token.length()) {
      names.add(token.substring(at));
    }
    return names;
  }

  private static TopoHeader checked(int line, List<String> columns, int gpus) {
    if (columns.size() > MOST_COLUMNS || gpus > MOST_GPUS) {
      throw new TopoSyntaxException(
          line,
          String.format(
              Locale.ROOT,
              "names %d GPUs among %d columns; at most %d and %d are read",
              gpus,
              columns.size(),
              MOST_GPUS,
              MOST_COLUMNS));
    }
    Set<String> seen = new HashSet<>();
    for (String column : columns) {
      if (!seen.add(column)) {
        throw new TopoSyntaxException(
            line, "has two columns " + column + "; paste the output of one command only");
      }
    }
    return new TopoHeader(List.copyOf(columns), gpus);
  }

  /** Whether a row of this name belongs to some GPU, of this matrix or not. */
  static boolean namesGpu(String name) {
    return GPU.matcher(name).matches();
  }
}
