package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.protocol.Proof;
import io.cairn.core.protocol.RankHolding;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another node that answers a survey, and no read. */
@Timeout(60)
class NodeCopiesTest {
  private static final PeerAddress DESK = new PeerAddress("desk", 1);
  private static final NodeSite SITE = new NodeSite("a1", "a:/node", "a", new PeerAddress("a1", 1));
  private static final GroupId GROUP = new GroupId("job", "run");
  private static final CheckpointId OLDER = new CheckpointId(GROUP, 1, 4);
  private static final CheckpointId NEWER = new CheckpointId(GROUP, 1, 5);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final AtomicLong clock = new AtomicLong(7);
  private final AnsweringPeers peers = new AnsweringPeers(this::answer);
  private final Asking asking = new Asking(peers, Duration.ofMillis(200));
  private CompletionStage<PeerReply> read = new CompletableFuture<>();
  private boolean silent;
  private List<NodeSite> nodes = List.of(SITE);
  private final OtherNodes others =
      new OtherNodes(
          asking,
          new NodeSite("self", "here:/node", "here", AnsweringPeers.SELF),
          DESK,
          clock::get);
  private final NodeCopies copies = plan();

  /** The copies as one plan sees them, which asks anew. */
  private NodeCopies plan() {
    return new NodeCopies(
        asking,
        others,
        Level.NODE,
        new Member(GROUP, 0, 1),
        () -> "00000000-0000-4000-8000-000000000000",
        PATIENCE,
        bytes -> {});
  }

  private CompletionStage<PeerReply> answer(PeerAddress peer, PeerRequest request) {
    if (peer.equals(DESK)) {
      return CompletableFuture.completedFuture(new PeerReply.Nodes(nodes));
    }
    if (silent || !peer.equals(SITE.address())) {
      return new CompletableFuture<>();
    }
    return request instanceof PeerRequest.SurveyNode
        ? CompletableFuture.completedFuture(
            new PeerReply.AtNode(List.of(holding(OLDER), holding(NEWER))))
        : read;
  }

  private static RankHolding holding(CheckpointId id) {
    ContainerSummary container =
        new ContainerSummary("writer-r00000.chunks", 1000, Digest.of(new byte[1]), List.of(0));
    return new RankHolding(id, 1, Optional.empty(), List.of(container), "", Proof.PASSING);
  }

  private long asked() {
    return peers.asked.stream().filter(SITE.address()::equals).count();
  }

  @Test
  void aNodeThatFallsSilentIsNotAskedForItsOtherCheckpoints() {
    assertThatThrownBy(() -> copies.open(NEWER, 0)).hasMessageContaining("gives no answer");
    long before = asked();

    assertThatThrownBy(() -> copies.open(OLDER, 0)).hasMessageContaining("a moment ago");
    assertThat(asked()).isEqualTo(before);
  }

  /** It answers surveys from what it remembers, and its disk hangs. */
  @Test
  void aSurveyThatIsAnsweredProvesNothingAboutReads() throws IOException {
    assertThatThrownBy(() -> copies.open(NEWER, 0)).hasMessageContaining("gives no answer");
    NodeCopies next = plan();
    assertThat(next.holdings(new Member(GROUP, 0, 1))).isNotEmpty();
    long before = asked();

    assertThatThrownBy(() -> next.open(NEWER, 0)).hasMessageContaining("a moment ago");
    assertThat(asked()).isEqualTo(before);
  }

  @Test
  void aCopyAtANodeThatIsSilentForAMomentIsNotGone() throws IOException {
    silent = true;

    assertThatThrownBy(() -> plan().open(NEWER, 0)).hasMessageContaining("may have it");
    clock.addAndGet(PATIENCE.toNanos());
    assertThat(plan().open(NEWER, 0)).isEmpty();
  }

  /** A copy at one node that is damaged is not the last word while another node is silent. */
  @Test
  void aNodeThatIsSilentCountsBesideACopyThatCannotBeUsed() {
    nodes = List.of(SITE, new NodeSite("far", "far:/node", "far", new PeerAddress("far", 1)));
    read = CompletableFuture.failedFuture(new IOException("damaged"));

    assertThatThrownBy(() -> plan().open(NEWER, 0))
        .hasMessageContaining("far:/node gives no answer, and may have it")
        .hasStackTraceContaining("damaged");
  }

  @Test
  void aNodeThatRefusesIsAskedForItsOtherCheckpoints() {
    read =
        CompletableFuture.failedFuture(
            new PeerException(SITE.address(), PeerException.Reason.REFUSED, "question", "no"));
    assertThatThrownBy(() -> copies.open(NEWER, 0)).hasMessageContaining("gives no answer");
    long before = asked();

    assertThatThrownBy(() -> copies.open(OLDER, 0)).hasMessageContaining("gives no answer");

    assertThat(asked()).isEqualTo(before + 1);
  }
}
