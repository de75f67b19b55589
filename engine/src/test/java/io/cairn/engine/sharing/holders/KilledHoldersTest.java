package io.cairn.engine.sharing.holders;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Borrowers and lenders that are killed. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledHoldersTest {
  @TempDir Path root;

  private SharingCluster cluster;

  @BeforeEach
  void begin() throws Exception {
    cluster = new SharingCluster(root);
  }

  @AfterEach
  void end() throws Exception {
    cluster.close();
  }

  private static void requireAllReturnedAndUsable(Holder lender) throws Exception {
    lender.await("all slots have returned", s -> s.lent() == 0);
    assertThat(lender.train(8)).matches("Sealed(,Sealed){7}");
    assertThat(lender.verify()).isEqualTo(4);
    assertThat(lender.status().free()).isZero();
  }

  @Test
  void slotsOfABorrowerThatDiesWhileWritingReturnAndSoDoHeldOnes() throws Exception {
    Holder lender = cluster.start(cluster.roomy("lender"));
    Holder borrower = cluster.start(cluster.tight("borrower"));
    borrower.trainToTheMiddleOfWrite(3);
    assertThat(lender.status().leased()).isEqualTo(SharingCluster.BORROWED);
    cluster.kill(borrower);
    lender.await("all slots have returned", s -> s.lent() == 0);

    Holder next = cluster.start(cluster.tight("next"));
    assertThat(next.train(2)).isEqualTo("Sealed,Sealed");
    assertThat(lender.status().held()).isGreaterThanOrEqualTo(SharingCluster.BORROWED);
    cluster.kill(next);
    requireAllReturnedAndUsable(lender);
  }

  @Test
  void quarantinedSlotsReturnOnlyAfterTheProvenDeath() throws Exception {
    Map<String, String> impatient = cluster.roomy("lender");
    impatient.put("fillMillis", "300");
    Holder lender = cluster.start(impatient);
    Holder borrower = cluster.start(cluster.tight("borrower"));
    borrower.trainToTheMiddleOfWrite(3);
    borrower.process().stop();
    lender.await("the lease is over", s -> s.quarantined() == SharingCluster.BORROWED);
    assertThat(lender.train(8)).matches("Sealed(,Sealed){7}");
    HolderStatus alive = lender.status();
    assertThat(alive.lent())
        .as("a suspended borrower is not a dead one")
        .isEqualTo(alive.quarantined());
    assertThat(alive.quarantined()).isEqualTo(SharingCluster.BORROWED);
    cluster.kill(borrower);
    requireAllReturnedAndUsable(lender);
  }

  @Test
  void aDeadLendersCheckpointsAreWithdrawnAndTheNextOnesLieElsewhere() throws Exception {
    Holder lender = cluster.start(cluster.roomy("lender"));
    Holder borrower = cluster.start(cluster.tight("borrower"));
    assertThat(borrower.train(2)).isEqualTo("Sealed,Sealed");
    Holder other = cluster.start(cluster.roomy("other"));
    cluster.kill(lender);
    assertThat(borrower.process().await("withdrawn ")).startsWith("e1-i").contains("is gone");
    HolderStatus after = borrower.await("nothing is borrowed", s -> s.leases() == 0);
    assertThat(after.withdrawals()).isPositive();
    assertThat(borrower.verify()).as("no incomplete checkpoint remains").isZero();

    assertThat(borrower.train(2)).isEqualTo("Sealed,Sealed");
    assertThat(other.status().held()).isGreaterThanOrEqualTo(SharingCluster.BORROWED);
    assertThat(borrower.restore()).isEqualTo("3 DEVICE 0");
  }

  /** Its memory stays mapped, so the write itself succeeds. */
  @Test
  void aLenderKilledInTheMiddleOfAWriteCostsNoCheckpoint() throws Exception {
    Map<String, String> patient = cluster.roomy("lender");
    patient.put("fillMillis", "120000");
    Holder lender = cluster.start(patient);
    Holder borrower = cluster.start(cluster.tight("borrower"));
    assertThat(borrower.train(1)).isEqualTo("Sealed");
    borrower.trainToTheMiddleOfWrite(2);
    Holder other = cluster.start(cluster.roomy("other"));

    cluster.kill(lender);

    assertThat(borrower.finishWrite()).isEqualTo("Sealed");
    assertThat(other.status().held()).isGreaterThanOrEqualTo(SharingCluster.BORROWED);
    assertThat(borrower.restore()).isEqualTo("1 DEVICE 0");
  }

  @Test
  void aBorrowerWhoseLastLenderDiedTrainsOn() throws Exception {
    Holder lender = cluster.start(cluster.roomy("lender"));
    Holder borrower = cluster.start(cluster.tight("borrower"));
    assertThat(borrower.train(1)).isEqualTo("Sealed");
    lender.process().kill();
    // whether the borrower learns it before, or from the refused lease; a third try without room
    // would let it fall back, and then it seldom looks for a lender
    assertThat(borrower.train(2)).isEqualTo("Skipped,Skipped");
    Holder other = cluster.start(cluster.roomy("other"));
    cluster.kill(lender);
    assertThat(borrower.train(2)).isEqualTo("Sealed,Sealed");
    assertThat(other.status().held()).isGreaterThanOrEqualTo(SharingCluster.BORROWED);
    assertThat(borrower.restore()).isEqualTo("4 DEVICE 0");
  }
}
