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

/** Holders that say they are on different machines: their chunks go sealed. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteHoldersTest {
  @TempDir Path root;

  private SharingCluster cluster;

  @BeforeEach
  void begin() throws Exception {
    cluster = new SharingCluster(root, true);
  }

  @AfterEach
  void end() throws Exception {
    cluster.close();
  }

  /** NODE, too, is a machine's own. */
  private Holder start(Map<String, String> settings, String machine) throws Exception {
    settings.put("machine", machine);
    settings.put("node.dir", root.resolve(machine).toString());
    return cluster.start(settings);
  }

  private Holder lender() throws Exception {
    return start(cluster.roomy("lender"), "one");
  }

  private Holder borrower() throws Exception {
    Map<String, String> settings = cluster.tight("borrower");
    settings.put("node.every", "2");
    return start(settings, "other");
  }

  @Test
  void whatLiesElsewhereComesBackAndGoesDown() throws Exception {
    Holder lender = lender();
    Holder borrower = borrower();
    assertThat(borrower.train(3)).isEqualTo("Sealed,Sealed,Sealed");
    assertThat(lender.status().held()).isGreaterThanOrEqualTo(SharingCluster.BORROWED);
    assertThat(borrower.verify()).isPositive();
    assertThat(borrower.restore()).isEqualTo("2 DEVICE 0");
    assertThat(borrower.train(2, Level.NODE)).contains("Sealed");
    cluster.kill(borrower);
    assertThat(borrower().restore()).as("on its machine").isEqualTo("4 NODE 0");
    lender.await("all slots have returned", s -> s.lent() == 0);
    assertThat(lender.train(8)).matches("Sealed(,Sealed){7}");
    assertThat(lender.verify()).isEqualTo(4);
  }

  /** It is taken for dead: what it had is over. A greeting later it is lent to again. */
  @Test
  void aSuspendedBorrowerBeginsAnewWhenItWakes() throws Exception {
    Holder lender = lender();
    Holder borrower = borrower();
    assertThat(borrower.train(2)).isEqualTo("Sealed,Sealed");
    borrower.process().stop();
    lender.await("all slots have returned", s -> s.lent() == 0);
    assertThat(lender.train(4)).matches("Sealed(,Sealed){3}");
    borrower.process().resume();
    int newest = 2;
    while (newest < 40 && !borrower.train(1).equals("Sealed")) {
      newest++;
    }
    borrower.await("only the newest counts at DEVICE", s -> s.checkpoints() == 1);
    // a claim makes room before it is refused, so one that is superseded may be gone
    assertThat(lender.verify()).isGreaterThanOrEqualTo(3);
    assertThat(borrower.restore()).isEqualTo(newest + " DEVICE 0");
  }

  @Test
  void aLenderKilledInTheMiddleOfAPushCostsNoCheckpoint() throws Exception {
    Holder lender = lender();
    Holder third = start(cluster.roomy("third"), "third");
    Holder borrower = borrower();
    assertThat(borrower.train(1)).isEqualTo("Sealed");
    lender.holdNextPush();
    borrower.beginTraining();
    lender.awaitPush();

    cluster.kill(lender);

    assertThat(borrower.endTraining()).isEqualTo("Sealed");
    assertThat(third.status().held()).isGreaterThanOrEqualTo(SharingCluster.BORROWED);
    assertThat(borrower.restore()).isEqualTo("1 DEVICE 0");
  }

  @Test
  void aKilledLendersCheckpointsAreWithdrawnAndTheNextOnesLieElsewhere() throws Exception {
    Holder lender = lender();
    Holder borrower = borrower();
    assertThat(borrower.train(2)).isEqualTo("Sealed,Sealed");
    Holder third = start(cluster.roomy("third"), "third");
    cluster.kill(lender);
    HolderStatus after =
        borrower.await("nothing is borrowed", s -> s.leases() == 0 && s.checkpoints() == 0);
    assertThat(after.withdrawals()).isPositive();
    assertThat(borrower.train(2)).isEqualTo("Sealed,Sealed");
    assertThat(third.status().held()).isGreaterThanOrEqualTo(SharingCluster.BORROWED);
    assertThat(borrower.restore()).isEqualTo("3 DEVICE 0");
  }
}
