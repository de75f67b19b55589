package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.config.PeerDomain;
import io.cairn.engine.config.PeerSettings;
import io.cairn.engine.promotion.NotDueException;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.engine.promotion.SupersededException;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The owner's side: which process is asked for a copy, and which orders it receives. */
@Timeout(60)
class PartnersTest {
  private static final PeerAddress DESK = new PeerAddress("desk", 1);
  private static final String BIRTH = "00000000-0000-4000-8000-000000000000";
  private static final NodeSite B = site("b");
  private static final NodeSite C = site("c");
  private static final NodeSite D = site("d");
  private static final PeerSettings SETTINGS =
      new PeerSettings(PeerSettings.Scheme.PARTNER, new PeerDomain.Node(), 0);
  private static final CheckpointManifest PART =
      Written.manifest(
          Written.id(1, 20),
          2,
          Ancestry.NONE,
          List.of(
              new ContainerSummary(
                  StoreNames.container(0), 1 << 20, Digest.of(new byte[0]), List.of(0))));

  private final Map<PeerAddress, Deque<CompletionStage<PeerReply>>> answers = new HashMap<>();
  private final List<PeerRequest> orders = new CopyOnWriteArrayList<>();
  private final AtomicLong clock = new AtomicLong(7);
  private List<NodeSite> known = List.of(B, C, D);
  private final AnsweringPeers peers = new AnsweringPeers(this::answer);
  private final Asking asking = new Asking(peers, Duration.ofMillis(200));
  private final OtherNodes others =
      new OtherNodes(
          asking, new NodeSite("self", "a:/node", "a", AnsweringPeers.SELF), DESK, clock::get);
  private final Partners partners = new Partners(SETTINGS, clock::get);

  private static NodeSite site(String machine) {
    return new NodeSite(machine + "1", machine + ":/node", machine, new PeerAddress(machine, 1));
  }

  /** The desk knows some sites; a site's last answer is repeated. */
  private CompletionStage<PeerReply> answer(PeerAddress peer, PeerRequest request) {
    if (peer.equals(DESK)) {
      return CompletableFuture.completedFuture(new PeerReply.Nodes(known));
    } else if (!(request instanceof PeerRequest.KeepCopy)) {
      orders.add(request);
      return CompletableFuture.completedFuture(new PeerReply.Done());
    }
    Deque<CompletionStage<PeerReply>> left = answers.get(peer);
    return left == null
        ? CompletableFuture.completedFuture(new PeerReply.Kept())
        : left.size() > 1 ? left.pop() : left.peek();
  }

  private void answers(NodeSite site, PeerReply... replies) {
    Deque<CompletionStage<PeerReply>> all = new ArrayDeque<>();
    for (PeerReply reply : replies) {
      all.add(CompletableFuture.completedFuture(reply));
    }
    answers.put(site.address(), all);
  }

  private void fails(NodeSite site, PeerException.Reason reason) {
    PeerException failure = new PeerException(site.address(), reason, "question", "no");
    answers.put(site.address(), new ArrayDeque<>(List.of(CompletableFuture.failedFuture(failure))));
  }

  private NodeSite keep() throws IOException {
    List<NodeSite> keepers = partners.keep(PART, BIRTH, () -> false);
    assertThat(keepers).hasSize(1);
    return keepers.get(0);
  }

  @Test
  void beforeItJoinsOthersAProcessSkips() {
    assertThatThrownBy(this::keep).isInstanceOf(SkippedException.class);
  }

  @Test
  void withoutAnotherDomainNothingIsDue() {
    known = List.of(new NodeSite("neighbour", "a:/node", "a", new PeerAddress("a", 2)));
    partners.join(asking, others);

    assertThatThrownBy(this::keep)
        .isInstanceOf(NotDueException.class)
        .hasMessageContaining("that serve their nodes, 2, are in the failure domain a")
        .hasMessageContaining("peer.domain");
    assertThat(peers.asked).containsOnly(DESK);
  }

  @Test
  void aLoneDomainIsToldOnceAndByRankZero() {
    LoneDomain lone = new LoneDomain();
    CheckpointManifest ofRankOne =
        Written.manifest(
            Written.id(1, 20),
            2,
            Ancestry.NONE,
            List.of(
                new ContainerSummary(
                    StoreNames.container(1), 1 << 20, Digest.of(new byte[0]), List.of(1))));

    assertThat(lone.found(others, ofRankOne)).isEmpty();
    assertThat(lone.ended()).isEmpty();
    assertThat(lone.found(others, PART)).isPresent();
    assertThat(lone.found(others, PART)).isEmpty();
    assertThat(lone.ended()).isPresent();
    assertThat(lone.ended()).isEmpty();
    assertThat(lone.found(others, PART)).isPresent();
  }

  @Test
  void anEpochThatIsOverCostsTheNextOneNothing() {
    partners.join(asking, others);
    partners.joined(new Member(Written.GROUP, 0, 2), 2);

    assertThatThrownBy(this::keep).isInstanceOf(SupersededException.class);
    assertThat(peers.asked).isEmpty();
  }

  @Test
  void aProcessThatDoesNotKnowItsDomainSkips() {
    NodeSite self = new NodeSite("self", "a:/node", "", AnsweringPeers.SELF);
    partners.join(asking, new OtherNodes(asking, self, DESK, clock::get));

    assertThatThrownBy(this::keep)
        .isInstanceOf(SkippedException.class)
        .hasMessageContaining("does not know its failure domain");
    assertThat(orders).isEmpty();
  }

  @Test
  void theNextInTheRingKeepsTheCopy() throws IOException {
    partners.join(asking, others);

    assertThat(keep()).isEqualTo(B);
  }

  @Test
  void aPartnerThatStillWritesIsAskedAgain() throws IOException {
    partners.join(asking, others);
    answers(B, new PeerReply.StillWriting(), new PeerReply.StillWriting(), new PeerReply.Kept());

    assertThat(keep()).isEqualTo(B);
    assertThat(peers.asked).filteredOn(B.address()::equals).hasSize(3);
  }

  @Test
  void aCheckpointThatTheGroupGaveUpIsWaitedForNoLonger() {
    partners.join(asking, others);
    answers(B, new PeerReply.StillWriting());
    AtomicInteger asked = new AtomicInteger();

    assertThatThrownBy(() -> partners.keep(PART, BIRTH, () -> asked.incrementAndGet() > 2))
        .isInstanceOf(SkippedException.class)
        .hasMessageContaining("gave up");
    assertThat(peers.asked).filteredOn(B.address()::equals).hasSize(2);
    assertThat(peers.asked).doesNotContain(C.address());
  }

  /** Such as the folds of a model, each a group of one. */
  @Test
  void trainingsOfOneRankAreSpreadOverTheProcessesOfADomain() throws IOException {
    NodeSite neighbour = new NodeSite("b2", "b:/node", "b", new PeerAddress("b", 2));
    known = List.of(B, neighbour);
    partners.join(asking, others);
    Set<NodeSite> keepers = new HashSet<>();

    for (int fold = 0; fold < 8; fold++) {
      CheckpointId id = new CheckpointId(new GroupId("job", "fold-" + fold), 1, 20);
      keepers.addAll(partners.keep(partOf(id), BIRTH, () -> false));
    }

    assertThat(keepers).containsExactlyInAnyOrder(B, neighbour);
  }

  private static CheckpointManifest partOf(CheckpointId id) {
    return Written.manifest(id, 1, Ancestry.NONE, PART.containers());
  }

  @Test
  void aPartnerThatWritesForEverIsGivenUp() throws IOException {
    partners.join(asking, others);
    answers(B, new PeerReply.StillWriting());
    CompletableFuture<NodeSite> kept = CompletableFuture.supplyAsync(this::kept);
    while (peers.asked.stream().filter(B.address()::equals).count() < 2) {
      Thread.onSpinWait();
    }

    clock.addAndGet(Duration.ofMinutes(2).toNanos());

    assertThat(kept.join()).isEqualTo(C);
  }

  private NodeSite kept() {
    try {
      return keep();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSilentPartnerIsReplacedAndNotAskedForAWhile() throws IOException {
    partners.join(asking, others);
    answers.put(B.address(), new ArrayDeque<>(List.of(new CompletableFuture<>())));

    assertThat(keep()).isEqualTo(C);
    assertThat(keep()).isEqualTo(C);
    assertThat(peers.asked).filteredOn(B.address()::equals).hasSize(1);
  }

  @Test
  void aPartnerThatRefusesIsAskedForTheNextCopy() throws IOException {
    partners.join(asking, others);
    fails(B, PeerException.Reason.REFUSED);

    assertThat(keep()).isEqualTo(C);
    answers(B, new PeerReply.Kept());
    assertThat(keep()).isEqualTo(B);
  }

  @Test
  void atMostTwoPartnersAreTried() throws IOException {
    partners.join(asking, others);
    fails(B, PeerException.Reason.LOST);
    fails(C, PeerException.Reason.LOST);

    assertThatThrownBy(this::keep)
        .hasMessageContaining("no partner keeps")
        .isNotInstanceOf(SkippedException.class);
    assertThat(peers.asked).doesNotContain(D.address());
  }

  @Test
  void everyPartnerThatWasAskedDeletesWhatNewerOnesReplace() throws IOException {
    partners.join(asking, others);
    fails(B, PeerException.Reason.REFUSED);
    keep();

    partners.retain(Written.id(1, 20), 2, List.of(Written.id(1, 20)));

    PeerRequest retain =
        new PeerRequest.RetainCopies(BIRTH, Written.id(1, 20), 2, List.of(Written.id(1, 20)));
    assertThat(orders).containsExactly(retain, retain);
  }

  @Test
  void aCheckpointThatWasGivenUpIsDroppedAtItsPartner() throws IOException {
    partners.join(asking, others);
    keep();

    partners.drop(Written.id(1, 20));

    assertThat(orders).containsExactly(new PeerRequest.DropCopies(BIRTH, Written.id(1, 20)));
  }

  @Test
  void anEndedTrainingReleasesItsCopiesOnce() throws IOException {
    partners.join(asking, others);
    keep();

    partners.release(Written.GROUP, 1);
    partners.release(Written.GROUP, 1);

    assertThat(orders).containsExactly(new PeerRequest.ReleaseCopies(Written.GROUP, BIRTH, 1));
  }

  /** The seal of a training's last checkpoints may come just before its last rank leaves. */
  @Test
  void theLastDeletionOfAGroupThatLeftReachesItsPartners() throws IOException {
    partners.join(asking, others);
    keep();

    partners.forget(Written.GROUP);
    partners.retain(Written.id(1, 20), 2, List.of(Written.id(1, 20)));

    assertThat(orders)
        .containsExactly(
            new PeerRequest.RetainCopies(BIRTH, Written.id(1, 20), 2, List.of(Written.id(1, 20))));
  }
}
