package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.NodeSeal;
import io.cairn.core.protocol.Origin;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.testkit.CrashingStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A coordinator is lost with its process, and another one takes its place. */
class RememberedNodeTest {
  private static final GroupId GROUP = new GroupId("job", "run");

  private final CheckpointStore store = new CrashingStore(1);
  private final List<CoordinatorMessage> received = new ArrayList<>();

  private GroupHost host() {
    return CallersThread.hosts(store, () -> 0)
        .host(GROUP, 1, (rank, name, message) -> received.add(message));
  }

  /** Joins at a node; what the rank is told of its copies. */
  private Optional<NodeSeal.Copy> join(GroupHost host, String name, String node)
      throws IOException {
    received.clear();
    host.on(new MemberMessage.Join(0, 1, name, new Origin(GroupBirth.of(store, GROUP), 0, node)));
    return ((CoordinatorMessage.Joined) received.get(received.size() - 1)).atNode();
  }

  private static void train(GroupHost host, long epoch, long iteration) {
    host.on(new MemberMessage.Offer(0, epoch, List.of()));
    host.on(new MemberMessage.Held(0, epoch, iteration, Level.NODE, List.of(), Measurement.NONE));
  }

  @Test
  void theNextCoordinatorKnowsTheNode() throws IOException {
    GroupHost first = host();
    assertThat(join(first, "a", "m1:/node")).isEmpty();
    train(first, 1, 370);

    Optional<NodeSeal.Copy> told = join(host(), "b", "m2:/node");

    assertThat(told).contains(new NodeSeal.Copy(new CheckpointId(GROUP, 1, 370), "m1:/node", 0));
  }

  /**
   * A rank on its own has its coordinator in its process, and returns to that of an earlier one.
   */
  @Test
  void aCoordinatorThatWasReplacedMeanwhileLooksAgain() throws IOException {
    GroupHost first = host();
    join(first, "a", "m1:/node");
    train(first, 1, 370);
    GroupHost second = host();
    join(second, "b", "m2:/node");
    train(second, 2, 500);

    assertThat(join(first, "c", "m1:/node").map(NodeSeal.Copy::node)).contains("m2:/node");
  }

  /** Its note would hide that of the attempt that counts. */
  @Test
  void anAttemptThatIsOverNotesNothing() throws IOException {
    GroupHost first = host();
    join(first, "a", "m1:/node");
    long later = new EpochFiles(store).take(GROUP, 1, "another process");
    assertThat(later).isEqualTo(2);

    train(first, 1, 370);

    assertThat(new GroupMemory(store).newestAtNode(GROUP)).isEmpty();
  }
}
