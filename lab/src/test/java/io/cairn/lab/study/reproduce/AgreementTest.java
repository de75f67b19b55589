package io.cairn.lab.study.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.study.reproduce.Statement.Relation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a number counts as the printed one. */
class AgreementTest {
  @ParameterizedTest
  @CsvSource({
    "2.96e4, 29603, 0, AGREES",
    "2.96e4, 29650, 0, AGREES",
    "2.96e4, 29651, 0, LAST_DIGIT",
    "2.96e4, 29700, 0, DIFFERS",
    "7.40e-2, 0.07395, 0, AGREES",
    "7.40e-2, 0.0743, 0, DIFFERS",
    "7.40e-2, 0.0743, 0.0001, WITHIN_SCATTER",
    "7.40e-2, 0.0744, 0.0001, DIFFERS",
    "5, 5.82, 0, LAST_DIGIT",
    "1378.27, 1469.6, 0, DIFFERS",
  })
  void aRoundedNumber(String printed, double ours, double standardError, Agreement expected) {
    assertThat(Agreement.rounded(new Printed(printed), ours, standardError)).isEqualTo(expected);
  }

  @Test
  void aBoundOrARoughNumber() {
    assertThat(statement(Relation.ABOUT, 0.05).agreement(0.46)).isEqualTo(Agreement.AGREES);
    assertThat(statement(Relation.ABOUT, 0.05).agreement(0.51)).isEqualTo(Agreement.DIFFERS);
    assertThat(statement(Relation.AT_LEAST, 0).agreement(0.45)).isEqualTo(Agreement.AGREES);
    assertThat(statement(Relation.AT_LEAST, 0).agreement(0.44)).isEqualTo(Agreement.DIFFERS);
    assertThat(statement(Relation.AT_MOST, 0.005).agreement(0.454)).isEqualTo(Agreement.AGREES);
    assertThat(statement(Relation.AT_MOST, 0.005).agreement(0.456)).isEqualTo(Agreement.DIFFERS);
    assertThat(statement(Relation.AT_MOST, 0).text()).isEqualTo("at most 0.45");
  }

  private static Statement statement(Relation relation, double tolerance) {
    return new Statement("figure", "something", "0.45", relation, tolerance);
  }

  @Test
  void theLastPlaceOfAPrintedNumber() {
    assertThat(new Printed("7.40e-2").lastPlace()).isEqualTo(1e-4);
    assertThat(new Printed("2.96e4").lastPlace()).isEqualTo(100);
    assertThat(new Printed("5").lastPlace()).isEqualTo(1);
  }
}
