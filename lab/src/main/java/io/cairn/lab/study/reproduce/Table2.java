package io.cairn.lab.study.reproduce;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Table 2 and Figure 3: three levels, on the platform as printed and as the table implies it. */
final class Table2 extends PatternTable {
  Table2(Published published) {
    super(
        "table-2",
        "Table 2: patterns of parameter set A",
        published.table2(),
        List.of(published.platform("A"), published.platform("A inferred")));
  }

  @Override
  Finding figure(Workshop workshop, List<TableRow> computed) throws IOException {
    double alone = least(computed, List.of(3));
    double best = least(computed, List.of(2, 3));
    double most = computed.stream().mapToDouble(TableRow::absoluteDifference).max().orElseThrow();
    return figure(
        workshop,
        "figure-3",
        "Figure 3: overheads by subset of levels, parameter set A",
        computed,
        Map.of(
            "part of the overhead that {2,3} saves against level 3 alone, simulated",
            1 - best / alone,
            "greatest simulated minus theoretical overhead",
            most));
  }

  private static double least(List<TableRow> computed, List<Integer> subset) {
    return computed.stream()
        .filter(row -> row.printed().subset().equals(subset))
        .min(Comparator.comparingDouble(TableRow::simulated))
        .orElseThrow()
        .simulated();
  }
}
