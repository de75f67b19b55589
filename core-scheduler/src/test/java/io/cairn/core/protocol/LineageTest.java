package io.cairn.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LineageTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-0");
  private static final Ancestry FROM_1_20 = Ancestry.NONE.continuedFrom(id(1, 20));

  private final Map<CheckpointId, Ancestry> manifests = new LinkedHashMap<>();

  @Test
  void nothingIsAliveWhereNothingIs() {
    assertThat(alive()).isEmpty();
  }

  @Test
  void allOfOneEpochAreAliveNewestFirst() {
    put(1, 20, Ancestry.NONE);
    put(1, 30, Ancestry.NONE);
    put(1, 10, Ancestry.NONE);
    assertThat(alive()).containsExactly(id(1, 30), id(1, 20), id(1, 10));
  }

  @Test
  void anOlderEpochIsNewestUntilANewerOnePublishes() {
    put(1, 20, Ancestry.NONE);
    put(1, 30, Ancestry.NONE);
    assertThat(alive()).first().isEqualTo(id(1, 30));
    put(2, 25, FROM_1_20);
    assertThat(alive()).containsExactly(id(2, 25), id(1, 20));
  }

  @Test
  void aLateManifestOfAZombieIsDead() {
    put(1, 20, Ancestry.NONE);
    put(2, 25, FROM_1_20);
    List<CheckpointId> before = alive();
    put(1, 21, Ancestry.NONE);
    put(1, 1_000_000, Ancestry.NONE);
    assertThat(alive()).isEqualTo(before);
  }

  @Test
  void aFreshStartKillsEverythingOlder() {
    put(1, 20, Ancestry.NONE);
    put(2, 25, FROM_1_20);
    put(3, 0, Ancestry.NONE);
    assertThat(alive()).containsExactly(id(3, 0));
  }

  @Test
  void aBranchThatWasLeftOutIsDead() {
    put(1, 20, Ancestry.NONE);
    put(2, 25, FROM_1_20);
    put(3, 22, FROM_1_20);
    assertThat(alive()).containsExactly(id(3, 22), id(1, 20));
  }

  @Test
  void ancestorsOfAncestorsAreAlive() {
    Ancestry line = FROM_1_20.continuedFrom(id(2, 25)).continuedFrom(id(4, 40));
    put(1, 20, Ancestry.NONE);
    put(1, 21, Ancestry.NONE);
    put(2, 25, FROM_1_20);
    put(2, 26, FROM_1_20);
    put(3, 30, FROM_1_20.continuedFrom(id(2, 26)));
    put(4, 40, FROM_1_20.continuedFrom(id(2, 25)));
    put(5, 41, line);
    assertThat(alive()).containsExactly(id(5, 41), id(4, 40), id(2, 25), id(1, 20));
  }

  @Test
  void theNewestOfTheNewestEpochSpeaksForTheLine() {
    put(1, 20, Ancestry.NONE);
    put(2, 21, FROM_1_20);
    put(2, 22, FROM_1_20);
    assertThat(alive()).containsExactly(id(2, 22), id(2, 21), id(1, 20));
  }

  private void put(long epoch, long iteration, Ancestry ancestry) {
    manifests.put(id(epoch, iteration), ancestry);
  }

  private List<CheckpointId> alive() {
    return Lineage.alive(manifests);
  }

  private static CheckpointId id(long epoch, long iteration) {
    return new CheckpointId(GROUP, epoch, iteration);
  }
}
