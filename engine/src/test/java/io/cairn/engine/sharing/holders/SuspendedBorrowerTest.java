package io.cairn.engine.sharing.holders;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A borrower that is suspended in the middle of a write until its lease has expired. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SuspendedBorrowerTest {
  private static final String SHORT = "1000";

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

  private Holder startLender() throws Exception {
    Map<String, String> lender = cluster.roomy("lender");
    lender.put("fillMillis", SHORT);
    return cluster.start(lender);
  }

  @Test
  void harmsNobodyWhenItResumesAfterItsLeaseExpired() throws Exception {
    Holder lender = startLender();
    Holder borrower = cluster.start(cluster.tight("borrower"));
    assertThat(lender.train(2)).isEqualTo("Sealed,Sealed");

    borrower.trainToTheMiddleOfWrite(2);
    borrower.process().stop();
    lender.await("the lease is over", s -> s.quarantined() == SharingCluster.BORROWED);
    // all that is not quarantined is used again, by the lender and by somebody else
    Holder third = cluster.start(cluster.tight("third"));
    assertThat(third.train(2)).isEqualTo("Sealed,Sealed");
    assertThat(lender.train(8)).matches("Sealed(,Sealed){7}");
    HolderStatus full = lender.status();
    assertThat(full.quarantined()).isEqualTo(SharingCluster.BORROWED);
    assertThat(full.held()).isGreaterThanOrEqualTo(SharingCluster.BORROWED);
    assertThat(full.evictions()).isPositive();

    borrower.process().resume();
    assertThat(borrower.finishWrite()).as("its checkpoint does not count").isEqualTo("Failed");
    assertThat(borrower.verify()).isZero();
    assertThat(lender.verify()).isPositive();
    assertThat(third.verify()).isPositive();
    lender.await("the borrower has released", s -> s.lent() == s.held());
    assertThat(third.restore()).isEqualTo("1 DEVICE 0");
    assertThat(lender.restore()).isEqualTo("9 DEVICE 0");

    assertThat(borrower.train(1)).as("it shares again").isEqualTo("Sealed");
    assertThat(borrower.restore()).isEqualTo("1 DEVICE 0");
  }

  @Test
  void getsNothingInALaterEpochOfItsGroup() throws Exception {
    Holder lender = startLender();
    Holder zombie = cluster.start(cluster.tight("rank"));
    zombie.trainToTheMiddleOfWrite(2);
    zombie.process().stop();
    Holder successor = cluster.start(cluster.tight("rank"));
    assertThat(successor.train(2)).isEqualTo("Sealed,Sealed");
    lender.await(
        "the older epoch is fenced",
        s -> s.quarantined() == SharingCluster.BORROWED && s.held() >= SharingCluster.BORROWED);

    zombie.process().resume();
    assertThat(zombie.finishWrite()).isIn("Failed", "Fenced");
    assertThat(zombie.train(1)).isIn("Skipped", "Fenced");
    zombie.await("nothing counts at DEVICE", s -> s.checkpoints() == 0 && s.leases() == 0);
    lender.await("the zombie has released", s -> s.lent() == s.held());
    assertThat(successor.verify()).isPositive();
    assertThat(successor.restore()).isEqualTo("1 DEVICE 0");
  }
}
