package io.cairn.lab.study.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.core.flow.Topology;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkTableTest {
  /** Two nodes of two devices. */
  private static final LinkTable TABLE =
      LinkTable.of(
          Topology.builder(4)
              .link(0, 1, 40)
              .host(0, 10)
              .host(1, 10)
              .host(2, 12)
              .sharedHostLink(List.of(0, 1), 15)
              .node(List.of(0, 1), 5)
              .node(List.of(2, 3), 7)
              .build(),
          2);

  private static double[] rates(LinkTable table, int from, int to) {
    return Arrays.stream(table.way(from, to)).mapToDouble(table::bytesPerSecond).sorted().toArray();
  }

  @Test
  void waysConsistOfWhatTheTopologySays() {
    assertThat(TABLE.devices()).isEqualTo(4);
    assertThat(rates(TABLE, 0, 1)).containsExactly(80);
    assertThat(rates(TABLE, 0, LinkTable.HOST)).containsExactly(20, 30);
    assertThat(rates(TABLE, 2, LinkTable.HOST)).containsExactly(24);
    assertThat(rates(TABLE, 0, 3)).containsExactly(10, 14);
    assertThat(rates(TABLE, 2, 1)).containsExactly(10, 14);
    assertThat(TABLE.way(2, 2)).isEmpty();
  }

  @Test
  void whatIsSharedIsTheSameStretch() {
    assertThat(TABLE.way(0, LinkTable.HOST)).containsAnyOf(TABLE.way(1, LinkTable.HOST));
    assertThat(TABLE.way(0, 2)).isEqualTo(TABLE.way(1, 3));
    assertThat(TABLE.way(0, 2)).doesNotContain(TABLE.way(2, 0));
  }

  @Test
  void noWayIsSaid() {
    assertThat(TABLE.hasWay(1, 0)).isFalse();
    assertThat(TABLE.hasWay(3, LinkTable.HOST)).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TABLE.way(3, LinkTable.HOST))
        .withMessageContaining("from device 3 to the host");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TABLE.with(1, 0, 0.5))
        .withMessageContaining("from device 1 to device 0");
  }

  @Test
  void oneLinkCanBeSlowed() {
    LinkTable slowed = TABLE.with(0, LinkTable.HOST, 0.5);
    assertThat(rates(slowed, 0, LinkTable.HOST)).containsExactly(10, 30);
    assertThat(rates(slowed, 1, LinkTable.HOST)).containsExactly(20, 30);
    assertThat(slowed.way(0, LinkTable.HOST)).isEqualTo(TABLE.way(0, LinkTable.HOST));
    assertThat(rates(TABLE, 0, LinkTable.HOST)).containsExactly(20, 30);
  }
}
