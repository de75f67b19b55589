package io.cairn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemberTest {
  private static final GroupId GROUP = new GroupId("waves", "domain");

  @Test
  void namesItsPlace() {
    assertThat(new Member(GROUP, 1, 2)).hasToString("waves/domain rank 1/2");
  }

  @ParameterizedTest
  @CsvSource({"0,0", "-1,1", "1,1", "2,-3"})
  void refusesRanksOutsideTheGroup(int rank, int size) {
    assertThatThrownBy(() -> new Member(GROUP, rank, size))
        .hasMessageContaining("rank " + rank + " of a group of " + size);
  }
}
