package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Digest;
import io.cairn.Member;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.PeerRequest.KeepParity;
import io.cairn.core.wire.PeerRequest.RankAt;
import io.cairn.engine.config.PeerDomain;
import io.cairn.engine.config.PeerSettings;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The owner's side of a set: which processes are asked for parities, and with which order. */
@Timeout(60)
class ParitySetsTest {
  private static final PeerAddress DESK = new PeerAddress("desk", 1);
  private static final String BIRTH = "00000000-0000-4000-8000-000000000000";
  private static final NodeSite SELF = new NodeSite("a1", "a:/node", "a", AnsweringPeers.SELF);
  private static final NodeSite B = site("b");
  private static final NodeSite C = site("c");
  private static final NodeSite D = site("d");

  /** The ranks at each process but this one, which has rank 0. */
  private final Map<PeerAddress, List<Integer>> ranks =
      new ConcurrentHashMap<>(
          Map.of(B.address(), List.of(1), C.address(), List.of(2), D.address(), List.of(3)));

  private final Map<PeerAddress, PeerReply> answers = new ConcurrentHashMap<>();
  private final Map<PeerAddress, KeepParity> orders = new ConcurrentHashMap<>();

  /** They answer nothing but which ranks they have. */
  private final Set<PeerAddress> silent = ConcurrentHashMap.newKeySet();

  private final List<PeerAddress> retained = new CopyOnWriteArrayList<>();
  private List<NodeSite> known = List.of(B, C, D);
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean givenUp;
  private final AtomicLong clock = new AtomicLong(7);
  private final Asking asking =
      new Asking(new AnsweringPeers(this::answer), Duration.ofMillis(200));
  private final OtherNodes others = new OtherNodes(asking, SELF, DESK, clock::get);

  private static NodeSite site(String machine) {
    return new NodeSite(machine + "1", machine + ":/node", machine, new PeerAddress(machine, 1));
  }

  private CompletionStage<PeerReply> answer(PeerAddress peer, PeerRequest request) {
    if (peer.equals(DESK)) {
      return CompletableFuture.completedFuture(new PeerReply.Nodes(known));
    } else if (silent.contains(peer)
        && !(request instanceof PeerRequest.RanksOf && ranks.containsKey(peer))) {
      return new CompletableFuture<>();
    } else if (request instanceof PeerRequest.RanksOf question) {
      asked.incrementAndGet();
      List<Integer> here = question.epoch() == 1 ? ranks.getOrDefault(peer, List.of()) : List.of();
      return CompletableFuture.completedFuture(new PeerReply.Ranks(here));
    } else if (request instanceof PeerRequest.RetainCopies) {
      retained.add(peer);
      return CompletableFuture.completedFuture(new PeerReply.Done());
    } else if (request instanceof KeepParity order) {
      orders.put(peer, order);
    }
    return CompletableFuture.completedFuture(answers.getOrDefault(peer, new PeerReply.Kept()));
  }

  private Partners partners(PeerSettings.Scheme scheme, int data, int parities) {
    return partners(scheme, data, parities, asking);
  }

  private Partners partners(PeerSettings.Scheme scheme, int data, int parities, Asking asking) {
    Partners partners =
        new Partners(
            new PeerSettings(scheme, new PeerDomain.Node(), 0, data, parities), clock::get);
    partners.join(asking, others);
    partners.joined(new Member(Written.GROUP, 0, 4), 1);
    return partners;
  }

  private static CheckpointManifest part(int size) {
    return Written.manifest(
        Written.id(1, 20),
        size,
        Ancestry.NONE,
        List.of(
            new ContainerSummary(
                StoreNames.container(0), 1 << 20, Digest.of(new byte[0]), List.of(0))));
  }

  @Test
  void theSetOfARankHasItsParityAtAMachineOutside() throws IOException {
    List<NodeSite> keepers =
        partners(PeerSettings.Scheme.XOR, 3, 1).keep(part(4), BIRTH, () -> givenUp);

    assertThat(keepers).containsExactly(D);
    assertThat(orders)
        .containsExactly(
            Map.entry(
                D.address(),
                new KeepParity(
                    Written.id(1, 20),
                    BIRTH,
                    "xor",
                    List.of(new RankAt(0, SELF), new RankAt(1, B), new RankAt(2, C)),
                    List.of(D.node()),
                    0,
                    1 << 20)));
  }

  @Test
  void everyParityIsOrderedWithItsIndex() throws IOException {
    List<NodeSite> keepers =
        partners(PeerSettings.Scheme.RS, 2, 2).keep(part(4), BIRTH, () -> givenUp);

    assertThat(keepers).containsExactly(C, D);
    assertThat(orders.values()).extracting(KeepParity::scheme).containsOnly("rs");
    assertThat(orders.get(C.address())).extracting(KeepParity::index).isEqualTo(0);
    assertThat(orders.get(D.address())).extracting(KeepParity::index).isEqualTo(1);
  }

  @Test
  void thereAreNoSetsWhileARankIsInAnUnknownDomain() throws IOException {
    Partners partners = partners(PeerSettings.Scheme.XOR, 3, 1);
    known = List.of(B, new NodeSite(C.process(), C.node(), "", C.address()), D);

    assertThat(failure(partners, part(4)))
        .hasMessageContaining("rank 2")
        .hasMessageContaining("does not know its failure domain");

    known = List.of(B, C, D);
    assertThat(partners.keep(part(4), BIRTH, () -> givenUp)).containsExactly(D);
  }

  @Test
  void ranksOfOneDomainAreInDifferentSets() throws IOException {
    known = List.of(B, new NodeSite(C.process(), C.node(), B.domain(), C.address()), D);

    partners(PeerSettings.Scheme.XOR, 3, 1).keep(part(4), BIRTH, () -> givenUp);

    for (KeepParity order : orders.values()) {
      assertThat(order.members()).extracting(at -> at.site().domain()).doesNotHaveDuplicates();
    }
    assertThat(orders).isNotEmpty();
  }

  /** Two executors of a machine share its node, and their ranks are in different sets. */
  @Test
  void machinesMayHaveSeveralProcesses() throws IOException {
    NodeSite neighbour = new NodeSite("a2", SELF.node(), "a", new PeerAddress("a", 2));
    NodeSite second = new NodeSite("b2", B.node(), "b", new PeerAddress("b", 2));
    known = List.of(neighbour, B, second);
    ranks.clear();
    ranks.putAll(
        Map.of(
            neighbour.address(),
            List.of(1),
            B.address(),
            List.of(2),
            second.address(),
            List.of(3)));

    List<NodeSite> keepers =
        partners(PeerSettings.Scheme.XOR, 3, 1).keep(part(4), BIRTH, () -> givenUp);

    assertThat(keepers).hasSize(1).allMatch(keeper -> keeper.domain().equals("b"));
    assertThat(orders.values())
        .singleElement()
        .satisfies(order -> assertThat(order.members()).containsExactly(new RankAt(0, SELF)));
  }

  @Test
  void fewerMachinesThanParitiesAreTold() throws IOException {
    known = List.of(B);
    ranks.clear();
    ranks.put(B.address(), List.of(1, 2, 3));

    assertThat(partners(PeerSettings.Scheme.RS, 2, 2).keep(part(4), BIRTH, () -> givenUp))
        .containsExactly(B);

    assertThat(ParitySets.fewerParities(Written.GROUP, 2, 2))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .contains("on 2 failure domains")
                    .contains("survives the loss of 1 at once")
                    .endsWith("the 2 parities of peer, which need 3"));
    assertThat(ParitySets.fewerParities(Written.GROUP, 3, 2)).isEmpty();
    assertThat(ParitySets.fewerParities(Written.GROUP, 2, 1)).isEmpty();
    assertThat(ParitySets.fewerParities(Written.GROUP, 1, 2))
        .as("partners instead, or nothing")
        .isEmpty();
  }

  @Test
  void aProcessWithoutARankMayBeSilent() throws IOException {
    known = List.of(site("e"), B, C, D);
    silent.add(site("e").address());
    Asking patient = new Asking(new AnsweringPeers(this::answer), Duration.ofHours(1));

    assertThat(partners(PeerSettings.Scheme.XOR, 3, 1, patient).keep(part(4), BIRTH, () -> givenUp))
        .containsExactly(D);
  }

  @Test
  void aRankThatStaysMissingIsWaitedForOncePerEpoch() {
    ranks.remove(C.address());
    Partners partners = partners(PeerSettings.Scheme.XOR, 3, 1);
    CompletableFuture<IOException> failed =
        CompletableFuture.supplyAsync(() -> failure(partners, part(4)));
    while (asked.get() < 3) {
      Thread.onSpinWait();
    }
    clock.addAndGet(Duration.ofSeconds(11).toNanos());
    assertThat(failed.join()).hasMessageContaining("ranks [2]");

    // the clock stands still
    assertThat(failure(partners, part(4))).hasMessageContaining("ranks [2]");
  }

  @Test
  void aHolderThatIsSilentIsPassedOver() {
    Partners partners = partners(PeerSettings.Scheme.XOR, 3, 1);
    silent.add(D.address());

    assertThat(failure(partners, part(4))).hasMessageContaining("d:/node");

    assertThat(others.reachable()).isNotEmpty().doesNotContain(D);
  }

  @Test
  void placesAreAskedForOncePerEpoch() throws IOException {
    Partners partners = partners(PeerSettings.Scheme.XOR, 3, 1);

    partners.keep(part(4), BIRTH, () -> givenUp);
    partners.keep(part(4), BIRTH, () -> givenUp);

    assertThat(asked).hasValue(3);
  }

  @Test
  void aRankThatIsNowhereFailsTheCheckpointAfterABoundedTime() {
    ranks.remove(C.address());
    Partners partners = partners(PeerSettings.Scheme.XOR, 3, 1);
    CompletableFuture<IOException> failed =
        CompletableFuture.supplyAsync(() -> failure(partners, part(4)));
    while (asked.get() < 3) {
      Thread.onSpinWait();
    }

    clock.addAndGet(Duration.ofSeconds(11).toNanos());

    assertThat(failed.join()).hasMessageContaining("ranks [2]");
  }

  @Test
  void aSetThatStaysIncompleteFailsAfterABoundedTime() {
    answers.put(D.address(), new PeerReply.StillWriting());
    Partners partners = partners(PeerSettings.Scheme.XOR, 3, 1);
    CompletableFuture<IOException> failed =
        CompletableFuture.supplyAsync(() -> failure(partners, part(4)));
    while (orders.isEmpty()) {
      Thread.onSpinWait();
    }

    clock.addAndGet(Duration.ofMinutes(2).toNanos());

    assertThat(failed.join())
        .hasMessageContaining("d:/node")
        .hasMessageContaining("keep no parity");
  }

  /** Its place in the queue is that of all later checkpoints. */
  @Test
  void aCheckpointThatTheGroupGaveUpIsWaitedForNoLonger() {
    answers.put(D.address(), new PeerReply.StillWriting());
    Partners partners = partners(PeerSettings.Scheme.XOR, 3, 1);
    CompletableFuture<IOException> ended =
        CompletableFuture.supplyAsync(() -> failure(partners, part(4)));
    while (orders.isEmpty()) {
      Thread.onSpinWait();
    }

    givenUp = true;

    assertThat(ended.join()).isInstanceOf(SkippedException.class).hasMessageContaining("gave up");
  }

  private IOException failure(Partners partners, CheckpointManifest part) {
    try {
      throw new AssertionError("kept by " + partners.keep(part, BIRTH, () -> givenUp));
    } catch (IOException e) {
      return e;
    }
  }

  @Test
  void aGroupOnOneMachineGetsAPartner() throws IOException {
    List<NodeSite> keepers =
        partners(PeerSettings.Scheme.XOR, 3, 1).keep(part(1), BIRTH, () -> givenUp);

    assertThat(keepers).containsExactly(B);
    assertThat(orders).isEmpty();
  }

  @Test
  void theProcessWithTheParityDeletesWhatNewerOnesReplace() throws IOException {
    Partners partners = partners(PeerSettings.Scheme.XOR, 3, 1);
    partners.keep(part(4), BIRTH, () -> givenUp);

    partners.retain(Written.id(1, 20), 2, List.of(Written.id(1, 20)));

    assertThat(retained).containsExactly(D.address());
  }
}
