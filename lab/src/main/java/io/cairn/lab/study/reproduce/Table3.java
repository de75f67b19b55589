package io.cairn.lab.study.reproduce;

import java.io.IOException;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;

/** Table 3 and Figure 4: four levels. */
final class Table3 extends PatternTable {
  Table3(Published published) {
    super(
        "table-3",
        "Table 3: patterns of parameter set B",
        published.table3(),
        List.of(published.platform("B")));
  }

  @Override
  Finding figure(Workshop workshop, List<TableRow> computed) throws IOException {
    DoubleSummaryStatistics relative =
        computed.stream().mapToDouble(TableRow::relativeDifference).summaryStatistics();
    return figure(
        workshop,
        "figure-4",
        "Figure 4: overheads by subset of levels, parameter set B",
        computed,
        Map.of(
            "greatest simulated minus theoretical overhead",
            computed.stream().mapToDouble(TableRow::absoluteDifference).max().orElseThrow(),
            "least difference of simulated and theoretical, relative",
            relative.getMin(),
            "greatest difference of simulated and theoretical, relative",
            relative.getMax()));
  }
}
