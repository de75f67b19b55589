package io.cairn.lab.study.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The verdict on a table or figure. */
class FindingTest {
  @Test
  void verdictsTellAMisprintFromADifference() {
    Note misprint = new Note("x", Note.Kind.MISPRINT, "a", "swapped");
    Comparison agrees = new Comparison("b", "1", 1, 1, Agreement.AGREES, null);
    Comparison printed = new Comparison("a", "1", 1, 2, Agreement.DIFFERS, misprint);
    Comparison differs = new Comparison("c", "1", 1, 2, Agreement.DIFFERS, null);
    assertThat(verdict(agrees)).isEqualTo("reproduces");
    assertThat(verdict(agrees, printed)).isEqualTo("reproduces but for a misprint");
    assertThat(verdict(agrees, printed, differs)).isEqualTo("reproduces in part");
    assertThat(verdict(differs)).isEqualTo("does not reproduce");
    assertThat(verdict()).isEqualTo("nothing printed to compare");
  }

  private static String verdict(Comparison... comparisons) {
    return new Finding("x", "X", "", "", List.of(), List.of(comparisons), List.of()).verdict();
  }
}
