package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.Member;
import org.junit.jupiter.api.Test;

class JoinedRanksTest {
  private static final GroupId GROUP = new GroupId("job", "group");

  private final JoinedRanks joined = new JoinedRanks();

  @Test
  void aNewEpochBeginsWithoutTheRanksOfTheLast() {
    joined.joined(new Member(GROUP, 3, 4), 1);
    joined.joined(new Member(GROUP, 0, 4), 2);

    assertThat(joined.of(GROUP, 2)).containsExactly(0);
    assertThat(joined.of(GROUP, 1)).isEmpty();
  }

  @Test
  void anOlderEpochIsIgnored() {
    joined.joined(new Member(GROUP, 3, 4), 2);
    joined.joined(new Member(GROUP, 0, 4), 1);

    assertThat(joined.of(GROUP, 2)).containsExactly(3);
  }

  @Test
  void aGroupWithoutARankHereIsForgotten() {
    joined.joined(new Member(GROUP, 3, 4), 2);

    joined.forget(GROUP);

    assertThat(joined.of(GROUP, 2)).isEmpty();
  }
}
