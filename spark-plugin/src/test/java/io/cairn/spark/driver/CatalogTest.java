package io.cairn.spark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.wire.ExchangeRequest.NodeCopy;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CatalogTest {
  private static final GroupId GROUP = new GroupId("job", "pair");
  private static final CheckpointId OLD = new CheckpointId(GROUP, 1, 10);
  private static final CheckpointId NEW = new CheckpointId(GROUP, 1, 20);

  private final Catalog catalog = new Catalog();

  private static NodeCopy copy(CheckpointId id, int rank) {
    return new NodeCopy(id, rank, 2);
  }

  @Test
  void aCheckpointIsSealedWhenEveryRanksCopyIsOnSomeNode() {
    catalog.report("a", Set.of(copy(OLD, 0), copy(NEW, 0)));
    assertThat(catalog.sealedAtNode(GROUP)).isEmpty();
    assertThat(catalog.groups()).containsEntry(GROUP, 0);
    catalog.report("b", Set.of(copy(OLD, 1)));
    assertThat(catalog.sealedAtNode(GROUP)).containsExactly(OLD);
    catalog.report("c", Set.of(copy(NEW, 1), copy(OLD, 1)));
    assertThat(catalog.sealedAtNode(GROUP)).containsExactly(NEW, OLD);
    assertThat(catalog.groups()).containsEntry(GROUP, 2);
  }

  @Test
  void theSameRankTwiceIsNotTwoRanks() {
    catalog.report("a", Set.of(copy(OLD, 0)));
    catalog.report("b", Set.of(copy(OLD, 0)));
    assertThat(catalog.sealedAtNode(GROUP)).isEmpty();
  }

  @Test
  void aNewReportReplacesWhatWasKnownOfTheNode() {
    catalog.report("a", Set.of(copy(OLD, 0), copy(OLD, 1)));
    assertThat(catalog.sealedAtNode(GROUP)).containsExactly(OLD);
    catalog.report("a", Set.of(copy(OLD, 0)));
    assertThat(catalog.sealedAtNode(GROUP)).isEmpty();
    assertThat(catalog.sealedAtNode(new GroupId("job", "other"))).isEmpty();
  }
}
