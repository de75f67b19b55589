package io.cairn.spark.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sender that stands still in the middle of a write, for longer than its lease promises. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoppedSenderTest {
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

  private Holder startReceiver() throws Exception {
    Map<String, String> receiver = cluster.roomy("receiver");
    receiver.put("fillMillis", SHORT);
    return cluster.start(receiver);
  }

  @Test
  void harmsNobodyWhenItGoesOnAfterItsLeaseIsOver() throws Exception {
    Holder receiver = startReceiver();
    Holder sender = cluster.start(cluster.tight("sender"));
    assertThat(receiver.train(2)).isEqualTo("Sealed,Sealed");

    sender.trainToTheMiddleOfWrite(2);
    sender.process().stop();
    receiver.await("the lease is over", s -> s.quarantined() == SharingCluster.BORROWED);
    // all that is not quarantined is used again, by the receiver and by somebody else
    Holder third = cluster.start(cluster.tight("third"));
    assertThat(third.train(2)).isEqualTo("Sealed,Sealed");
    assertThat(receiver.train(8)).matches("Sealed(,Sealed){7}");
    HolderStatus full = receiver.status();
    assertThat(full.quarantined()).isEqualTo(SharingCluster.BORROWED);
    assertThat(full.held()).isGreaterThanOrEqualTo(SharingCluster.BORROWED);
    assertThat(full.evictions()).isPositive();

    sender.process().resume();
    assertThat(sender.finishWrite()).as("its checkpoint does not count").isEqualTo("Failed");
    assertThat(sender.verify()).isZero();
    assertThat(receiver.verify()).isPositive();
    assertThat(third.verify()).isPositive();
    receiver.await("the sender has released", s -> s.lent() == s.held());
    assertThat(third.restore()).isEqualTo("1 DEVICE 0");
    assertThat(receiver.restore()).isEqualTo("9 DEVICE 0");

    assertThat(sender.train(1)).as("it shares again").isEqualTo("Sealed");
    assertThat(sender.restore()).isEqualTo("1 DEVICE 0");
  }

  @Test
  void getsNothingIfItsGroupHasGoneOnWithoutIt() throws Exception {
    Holder receiver = startReceiver();
    Holder zombie = cluster.start(cluster.tight("rank"));
    zombie.trainToTheMiddleOfWrite(2);
    zombie.process().stop();
    Holder successor = cluster.start(cluster.tight("rank"));
    assertThat(successor.train(2)).isEqualTo("Sealed,Sealed");
    receiver.await(
        "the older epoch is fenced",
        s -> s.quarantined() == SharingCluster.BORROWED && s.held() >= SharingCluster.BORROWED);

    zombie.process().resume();
    assertThat(zombie.finishWrite()).isIn("Failed", "Fenced");
    assertThat(zombie.train(1)).isIn("Skipped", "Fenced");
    zombie.await("nothing counts at DEVICE", s -> s.checkpoints() == 0 && s.leases() == 0);
    receiver.await("the zombie has released", s -> s.lent() == s.held());
    assertThat(successor.verify()).isPositive();
    assertThat(successor.restore()).isEqualTo("1 DEVICE 0");
  }
}
