package io.cairn.core.flow.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The rows read so far; a symmetric matrix once complete. Not thread-safe. */
final class TopoMatrix {
  private final TopoHeader header;
  private final int columns;
  private final List<List<PathCell>> rows;
  private final int[] lines;
  private final int[] leader;

  TopoMatrix(TopoHeader header) {
    this.header = header;
    columns = header.columns().size();
    rows = new ArrayList<>(Collections.nCopies(header.gpus(), List.of()));
    lines = new int[columns];
    leader = new int[columns];
    Arrays.setAll(leader, device -> device);
  }

  int gpus() {
    return header.gpus();
  }

  String name(int device) {
    return header.columns().get(device);
  }

  /** The line of the device's row. */
  int line(int device) {
    return lines[device];
  }

  /** The path from one device to another, once the row of the first is read. */
  PathCell path(int from, int to) {
    return rows.get(from).get(to);
  }

  /** Takes a line; ignores it unless it begins with the name of a device. */
  void read(int line, List<String> tokens) {
    String name = tokens.get(0);
    int device = header.columns().indexOf(name);
    if (device >= gpus()) {
      readCard(device, tokens);
    } else if (device >= 0) {
      readGpu(line, device, tokens);
    } else if (TopoHeader.namesGpu(name)) {
      throw new TopoSyntaxException(
          line, "is a row of " + name + ", which the header does not name; paste the whole output");
    }
  }

  private void readGpu(int line, int device, List<String> tokens) {
    if (!rows.get(device).isEmpty()) {
      throw new TopoSyntaxException(
          line,
          String.format(
              Locale.ROOT,
              "%s has a row in line %d already; paste the output of one command only",
              name(device),
              lines[device]));
    }
    if (tokens.size() <= columns) {
      throw new TopoSyntaxException(
          line,
          String.format(
              Locale.ROOT,
              "the row of %s ends after %d of %d cells; paste the whole output",
              name(device),
              tokens.size() - 1,
              columns));
    }
    List<PathCell> row = new ArrayList<>();
    for (int column = 0; column < columns; column++) {
      row.add(cell(line, device, column, tokens.get(column + 1)));
    }
    lines[device] = line;
    rows.set(device, row);
    joinSwitches(device, row);
  }

  private PathCell cell(int line, int device, int column, String text) {
    PathCell cell = PathCell.parse(text).orElse(null);
    if (cell == null) {
      throw new TopoSyntaxException(
          line,
          String.format(
              Locale.ROOT,
              "\"%s\" between %s and %s is no kind of path; known are X, NV1 to NV%d, PIX, PXB,"
                  + " PHB, NODE and SYS",
              text.length() > 16 ? text.substring(0, 16) + "..." : text,
              name(device),
              name(column),
              LinkRates.MOST_NV_LINKS));
    }
    if ((cell.kind() == PathCell.Kind.SELF) != (column == device)) {
      throw new TopoSyntaxException(
          line,
          "%s reaches %s by \"%s\"; cells are missing or swapped, paste the output unchanged"
              .formatted(name(device), name(column), text));
    }
    return cell;
  }

  /** Takes the row of a card, which shows shared switches; ignores incomplete rows. */
  private void readCard(int card, List<String> tokens) {
    List<PathCell> row = new ArrayList<>();
    for (String token : tokens.subList(1, Math.min(tokens.size(), columns + 1))) {
      PathCell.parse(token).ifPresent(row::add);
    }
    if (row.size() == columns && row.get(card).kind() == PathCell.Kind.SELF) {
      joinSwitches(card, row);
    }
  }

  private void joinSwitches(int device, List<PathCell> row) {
    for (int peer = 0; peer < row.size(); peer++) {
      if (row.get(peer).kind() == PathCell.Kind.SWITCH) {
        leader[root(device)] = root(peer);
      }
    }
  }

  private int root(int device) {
    int at = device;
    while (leader[at] != at) {
      leader[at] = leader[leader[at]];
      at = leader[at];
    }
    return at;
  }

  /** GPUs whose paths to the host meet below the host bridge, in groups of at least two. */
  List<List<Integer>> behindOneSwitch() {
    List<List<Integer>> groups = new ArrayList<>();
    for (int device = 0; device < columns; device++) {
      groups.add(new ArrayList<>());
    }
    for (int gpu = 0; gpu < gpus(); gpu++) {
      groups.get(root(gpu)).add(gpu);
    }
    return groups.stream()
        .filter(group -> group.size() > 1)
        .sorted((one, other) -> Integer.compare(one.get(0), other.get(0)))
        .toList();
  }

  /** Rejects a matrix that lacks the row of a GPU or is not symmetric. */
  TopoMatrix complete(int lastLine) {
    for (int gpu = 0; gpu < gpus(); gpu++) {
      if (rows.get(gpu).isEmpty()) {
        throw new TopoSyntaxException(
            lastLine, "ends before the row of " + name(gpu) + "; paste the whole output");
      }
    }
    for (int from = 0; from < gpus(); from++) {
      for (int to = 0; to < from; to++) {
        if (!path(from, to).equals(path(to, from))) {
          throw new TopoSyntaxException(
              lines[from],
              String.format(
                  Locale.ROOT,
                  "%s reaches %s otherwise than line %d says of the way back; paste the output"
                      + " unchanged",
                  name(from),
                  name(to),
                  lines[to]));
        }
      }
    }
    return this;
  }
}
