package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.protocol.Proof;
import io.cairn.core.protocol.RankHolding;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.coordination.Waits;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each node is asked once, and one that is silent costs one long wait. */
@Timeout(60)
class OtherNodesSurveyTest {
  private static final PeerAddress DESK = new PeerAddress("desk", 1);
  private static final Member MEMBER = new Member(new GroupId("job", "run"), 0, 2);
  private static final Duration PATIENCE = Duration.ofMillis(700);
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final String BIRTH = "00000000-0000-4000-8000-000000000000";

  private final Map<PeerAddress, CompletionStage<PeerReply>> answers = new HashMap<>();

  /** How often a process still refuses before it answers. */
  private final Map<PeerAddress, Integer> refusals = new HashMap<>();

  private final AnsweringPeers peers = new AnsweringPeers((peer, question) -> answer(peer));
  private final AtomicLong clock = new AtomicLong(7);
  private final RecordingWaits waits = new RecordingWaits(new ArrayList<>(), clock);
  private final OtherNodes others =
      new OtherNodes(
          new Asking(peers, PATIENCE, waits),
          new NodeSite("self", "here:/node", "here", AnsweringPeers.SELF),
          DESK,
          clock::get);

  /**
   * Real waits for answers; remembers how long each would be waited for, in the order of questions.
   * A pause moves the clock.
   */
  private record RecordingWaits(List<Duration> patience, AtomicLong clock) implements Waits {
    @Override
    public void runAfter(Runnable task, long nanos) {
      clock.addAndGet(nanos);
      task.run();
    }

    @Override
    public void sleep(long millis) throws InterruptedException {
      REAL.sleep(millis);
    }

    @Override
    public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) throws InterruptedException {
      return REAL.poll(queue, millis);
    }

    @Override
    public boolean await(CompletableFuture<?> awaited, long nanos) throws InterruptedException {
      return REAL.await(awaited, nanos);
    }

    @Override
    public <T> CompletableFuture<T> failAfter(CompletableFuture<T> awaited, long nanos) {
      patience.add(Duration.ofNanos(nanos));
      return REAL.failAfter(awaited, nanos);
    }
  }

  private static NodeSite site(String process, String machine) {
    return new NodeSite(process, machine + ":/node", machine, new PeerAddress(process, 1));
  }

  private static PeerReply holding(long iteration) {
    CheckpointId id = new CheckpointId(MEMBER.group(), 1, iteration);
    return new PeerReply.AtNode(
        List.of(new RankHolding(id, 2, Optional.empty(), List.of(), "damaged", Proof.DAMAGE)));
  }

  private void deskKnows(NodeSite... sites) {
    answers.put(DESK, CompletableFuture.completedFuture(new PeerReply.Nodes(List.of(sites))));
  }

  private CompletionStage<PeerReply> answer(PeerAddress peer) {
    int left = refusals.getOrDefault(peer, 0);
    if (left == 0) {
      return answers.getOrDefault(peer, new CompletableFuture<>());
    }
    refusals.put(peer, left - 1);
    return CompletableFuture.failedFuture(
        new PeerException(peer, PeerException.Reason.REFUSED, "question", "too many are open"));
  }

  private void answers(NodeSite site, PeerReply reply) {
    answers.put(site.address(), CompletableFuture.completedFuture(reply));
  }

  private List<NodeSite> found() throws IOException {
    return others.survey(Level.NODE, MEMBER, BIRTH).found().stream()
        .map(OtherNodes.Found::site)
        .toList();
  }

  private List<Duration> patienceWith(NodeSite site) {
    return IntStream.range(0, peers.asked.size())
        .filter(i -> peers.asked.get(i).equals(site.address()))
        .mapToObj(waits.patience()::get)
        .toList();
  }

  private long asked(NodeSite site) {
    return peers.asked.stream().filter(site.address()::equals).count();
  }

  @Test
  void oneProcessOfEachNodeIsAsked() throws IOException {
    NodeSite first = site("a1", "a");
    NodeSite second = site("a2", "a");
    NodeSite other = site("b1", "b");
    deskKnows(first, second, other);
    answers(first, holding(1));
    answers(other, holding(2));

    assertThat(found()).containsExactly(first, other);
    assertThat(asked(second)).isZero();
  }

  @Test
  void anotherProcessAnswersForOneThatIsGone() throws IOException {
    NodeSite gone = site("a1", "a");
    NodeSite alive = site("a2", "a");
    deskKnows(gone, alive);
    answers.put(gone.address(), CompletableFuture.failedFuture(new IOException("unreachable")));
    answers(alive, holding(1));

    assertThat(found()).containsExactly(alive);
  }

  @Test
  void aNodeIsReachedWhileAProcessOfItIsKnownAndAnswers() throws IOException {
    NodeSite gone = site("a1", "a");
    deskKnows(gone);
    answers.put(gone.address(), CompletableFuture.failedFuture(new IOException("unreachable")));
    assertThat(others.isReached("a:/node")).isTrue();
    assertThat(others.isReached("here:/node")).isTrue();
    assertThat(others.isReached("b:/node")).isFalse();

    assertThat(found()).isEmpty();

    assertThat(others.isReached("a:/node")).isFalse();
    NodeSite next = site("a2", "a");
    deskKnows(gone, next);
    assertThat(others.isReached("a:/node")).isTrue();
    answers.put(DESK, CompletableFuture.failedFuture(new IOException("no desk")));
    assertThat(others.isReached("a:/node")).isFalse();
  }

  @Test
  void aSilentNodeThatAnswersAgainIsFoundAtOnce() throws IOException {
    NodeSite silent = site("a1", "a");
    NodeSite other = site("b1", "b");
    deskKnows(silent, other);
    answers.put(silent.address(), new CompletableFuture<>());
    answers(other, holding(1));
    assertThat(found()).containsExactly(other);
    assertThat(others.reachable()).containsExactly(other);

    answers(silent, holding(2));

    assertThat(found()).containsExactly(silent, other);
    assertThat(others.reachable()).containsExactly(silent, other);
  }

  @Test
  void aNodeThatRefusesIsAskedAgainAndStaysReachable() throws IOException {
    NodeSite busy = site("a1", "a");
    deskKnows(busy);
    answers(busy, holding(1));
    refusals.put(busy.address(), 1);

    assertThat(found()).containsExactly(busy);
    assertThat(others.reachable()).containsExactly(busy);
  }

  @Test
  void anotherProcessOfANodeAnswersForOneThatRefuses() throws IOException {
    NodeSite busy = site("a1", "a");
    NodeSite second = site("a2", "a");
    deskKnows(busy, second);
    refusals.put(busy.address(), Integer.MAX_VALUE);
    answers(second, holding(1));

    assertThat(found()).containsExactly(second);
    assertThat(others.reachable()).containsExactly(busy, second);
    assertThat(asked(busy)).isEqualTo(1);
  }

  /** Such as one whose disk fails. */
  @Test
  void aNodeThatRefusesForLongCostsOnePatience() throws IOException {
    NodeSite broken = site("a1", "a");
    deskKnows(broken);
    answers(broken, holding(1));
    refusals.put(broken.address(), Integer.MAX_VALUE);
    long begin = clock.get();

    assertThat(found()).isEmpty();
    assertThat(clock.get() - begin).isBetween(PATIENCE.toNanos(), 2 * PATIENCE.toNanos());
    begin = clock.get();
    assertThat(found()).isEmpty();

    assertThat(clock).hasValue(begin);
    assertThat(others.reachable()).containsExactly(broken);
    assertThat(others.isReached(broken.node())).as("it has answered").isFalse();
    refusals.clear();
    assertThat(found()).containsExactly(broken);
    assertThat(others.isReached(broken.node())).isTrue();
  }

  @Test
  void aSilentNodeCostsOneWaitAMinuteAndShortOnesBetween() throws IOException {
    NodeSite silent = site("a1", "a");
    deskKnows(silent);
    answers.put(silent.address(), new CompletableFuture<>());

    assertThat(found()).isEmpty();
    assertThat(found()).isEmpty();
    clock.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(found()).isEmpty();
    clock.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(found()).isEmpty();

    assertThat(patienceWith(silent)).containsExactly(PATIENCE, SHORT, SHORT, PATIENCE);
  }

  /** The desk forgets a process that died only after half a minute. */
  @Test
  void deadProcessesOfANodeDoNotHideTheLivingOne() throws IOException {
    NodeSite[] sites = new NodeSite[6];
    for (int i = 0; i < sites.length; i++) {
      sites[i] = site("a" + i, "a");
      PeerAddress address = sites[i].address();
      answers.put(
          address,
          CompletableFuture.failedFuture(
              new PeerException(address, PeerException.Reason.UNREACHABLE, "question", "refused")));
    }
    deskKnows(sites);
    answers(sites[5], holding(1));

    assertThat(found()).containsExactly(sites[5]);
  }

  @Test
  void twoSilentProcessesOfANodeAreEnough() throws IOException {
    NodeSite first = site("a1", "a");
    NodeSite second = site("a2", "a");
    NodeSite third = site("a3", "a");
    deskKnows(first, second, third);
    answers.put(first.address(), new CompletableFuture<>());
    answers.put(second.address(), new CompletableFuture<>());
    answers(third, holding(1));

    assertThat(found()).isEmpty();
    assertThat(asked(third)).isZero();
  }

  @Test
  void anotherProcessOfANodeIsAskedBeforeOneThatWasSilent() throws IOException {
    NodeSite silent = site("a1", "a");
    NodeSite second = site("a2", "a");
    deskKnows(silent, second);
    answers.put(silent.address(), new CompletableFuture<>());
    answers(second, holding(1));

    assertThat(found()).containsExactly(second);
    assertThat(found()).containsExactly(second);
    assertThat(asked(silent)).isEqualTo(1);
  }

  @Test
  void anAnswerOfAnotherKindIsPassedOver() throws IOException {
    NodeSite strange = site("a1", "a");
    deskKnows(strange);
    answers(strange, new PeerReply.Done());

    assertThat(found()).isEmpty();
  }

  @Test
  void anAnswerAboutAnotherGroupIsPassedOver() throws IOException {
    NodeSite strange = site("a1", "a");
    deskKnows(strange);
    CheckpointId id = new CheckpointId(new GroupId("job", "other"), 9, 9);
    answers(
        strange,
        new PeerReply.AtNode(
            List.of(new RankHolding(id, 2, Optional.empty(), List.of(), "damaged", Proof.DAMAGE))));

    assertThat(found()).isEmpty();
    assertThat(others.reachable()).isEmpty();
  }

  @Test
  void theOwnNodeIsNotAsked() throws IOException {
    NodeSite neighbour = site("self2", "here");
    deskKnows(neighbour);

    assertThat(found()).isEmpty();
    assertThat(asked(neighbour)).isZero();
  }

  @Test
  void aSilentDeskIsAnErrorAndNoEmptyAnswer() {
    answers.put(DESK, new CompletableFuture<>());

    assertThatThrownBy(this::found)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("desk:1 gives no answer");
    assertThatThrownBy(this::found).isInstanceOf(IOException.class);
    assertThat(waits.patience()).containsExactly(PATIENCE, SHORT);
  }

  @Test
  void aDeskThatAnswersAgainIsAskedAgain() throws IOException {
    answers.put(DESK, new CompletableFuture<>());
    assertThatThrownBy(this::found).isInstanceOf(IOException.class);
    NodeSite other = site("b1", "b");
    deskKnows(other);
    answers(other, holding(1));

    assertThat(found()).containsExactly(other);
  }

  @Test
  void aCancelledRankProvesNothingAboutTheDesk() throws IOException {
    answers.put(DESK, new CompletableFuture<>());
    Thread.currentThread().interrupt();
    assertThatThrownBy(this::found).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    NodeSite other = site("b1", "b");
    deskKnows(other);
    answers(other, holding(1));

    assertThat(found()).containsExactly(other);
  }

  @Test
  void theDeskLearnsWhoAsks() throws IOException {
    PeerRequest[] question = new PeerRequest[1];
    AnsweringPeers desk =
        new AnsweringPeers(
            (peer, asked) -> {
              question[0] = asked;
              return CompletableFuture.completedFuture(new PeerReply.Nodes(List.of()));
            });
    NodeSite self = site("self", "here");

    new OtherNodes(new Asking(desk, Duration.ofSeconds(10)), self, DESK, clock::get).register();

    assertThat(question).containsExactly(new PeerRequest.ServeNode(self));
  }
}
