package io.cairn.engine.sharing.holders;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * For each class of failures, from where a rank comes back that had part of its newest checkpoint
 * in borrowed slots. All that is restored is compared with an undisturbed training, and STORE has a
 * copy, of which not a byte of a chunk is read unless it is the only one.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LevelsTest {
  private static final int STATE_BYTES = SharingCluster.CHUNKS * Training.CHUNK_BYTES;

  @TempDir Path root;

  private SharingCluster cluster;
  private Holder lender;

  @BeforeEach
  void begin() throws Exception {
    cluster = new SharingCluster(root);
    lender = cluster.start(cluster.roomy("lender"));
  }

  @AfterEach
  void end() throws Exception {
    cluster.close();
  }

  /** A rank whose every checkpoint, or every so-manieth, goes down to STORE. */
  private Map<String, String> rank(int every) {
    Map<String, String> settings = cluster.tight("rank");
    settings.put("node.every", Integer.toString(every));
    settings.put("store.every", Integer.toString(every));
    return settings;
  }

  /** Takes four steps, 0 to 3. */
  private Holder trained(int every) throws Exception {
    Holder rank = cluster.start(rank(every));
    String outcomes = rank.train(4, Level.STORE);
    assertThat(outcomes)
        .isEqualTo(every == 1 ? "Sealed,Sealed,Sealed,Sealed" : "Sealed,NotDue,Sealed,NotDue");
    assertThat(rank.status().leases()).isPositive();
    return rank;
  }

  @Test
  void aBadStepIsUndoneFromDeviceAndTheDeathOfItsProcessIsSurvivedAtNode() throws Exception {
    Holder rank = trained(1);
    assertThat(rank.restore()).isEqualTo("3 DEVICE 0");
    cluster.kill(rank);
    assertThat(cluster.start(rank(1)).restore()).isEqualTo("3 NODE 0");
  }

  @Test
  void theLossOfALenderIsSurvivedAtNode() throws Exception {
    Holder rank = trained(1);
    cluster.kill(lender);
    rank.await("what it lent is withdrawn", s -> s.checkpoints() == 0);
    assertThat(rank.restore()).isEqualTo("3 NODE 0");
  }

  @Test
  void whatWasAtDeviceAloneIsLostWithItsLenderAndAnOlderOneIsUsed() throws Exception {
    Holder rank = trained(2);
    cluster.kill(lender);
    rank.await("what it lent is withdrawn", s -> s.checkpoints() == 0);
    assertThat(rank.restore()).isEqualTo("2 NODE 0");
  }

  @Test
  void theLossOfTheNodeIsSurvivedAtStore() throws Exception {
    cluster.kill(trained(1));
    cluster.kill(lender);
    Map<String, String> elsewhere = rank(1);
    elsewhere.put("node.dir", root.resolve("another-node").toString());
    elsewhere.put("device.dir", root.resolve("another-device").toString());
    String[] restored = cluster.start(elsewhere).restore().split(" ", -1);
    assertThat(restored).startsWith("3", "STORE");
    assertThat(Integer.parseInt(restored[2])).isGreaterThanOrEqualTo(STATE_BYTES);
  }
}
