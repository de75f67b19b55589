package io.cairn.lab.planted;

import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.planted.Finding.Verdict;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** The findings as a page of {@code docs/benchmarks}. */
final class Page {
  private Page() {}

  /**
   * The page.
   *
   * @param findings one for each defect, in the same order
   */
  static String of(String commit, List<Defect> defects, List<Finding> findings) {
    long noticed = findings.stream().filter(Finding::noticed).count();
    long hung = findings.stream().filter(found -> found.verdict() == Verdict.HUNG).count();
    StringBuilder page = new StringBuilder("# Planted defects\n\n");
    page.append("- command: `.ci/planted`, at ").append(commit).append('\n');
    page.append("- machine: ").append(MeasuredMachine.current()).append('\n');
    page.append("- date: ").append(LocalDate.now(ZoneOffset.UTC)).append('\n');
    page.append(
        String.format(
            Locale.ROOT,
            "- result: %d of %d defects noticed, %d of them by tests that did not end in time\n",
            noticed,
            defects.size(),
            hung));
    page.append(
        String.format(
            Locale.ROOT,
            "- sources: %d changed; %.0f s for all\n\n",
            new HashSet<>(defects.stream().map(Defect::type).toList()).size(),
            findings.stream().mapToDouble(Finding::seconds).sum()));
    page.append("| defect | source | harm | noticed by |\n|---|---|---|---|\n");
    for (int i = 0; i < defects.size(); i++) {
      page.append(row(defects.get(i), findings.get(i)));
    }
    return page.toString();
  }

  private static String row(Defect defect, Finding found) {
    String by =
        switch (found.verdict()) {
          case CAUGHT -> "`" + found.detail() + "`";
          case HUNG -> "tests that hang " + found.detail();
          case CRASHED -> "tests that crash";
          case SURVIVED -> "**nothing**";
          case UNCOMPILED -> "**does not compile**";
        };
    String type =
        defect.type().substring(defect.type().lastIndexOf(defect.isInKernel() ? '/' : '.') + 1);
    return "| %s | `%s` | %s | %s |\n".formatted(defect.name(), type, defect.harm(), by);
  }
}
