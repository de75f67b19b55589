package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.Ancestry;
import io.cairn.core.protocol.Proof;
import io.cairn.core.protocol.RankHolding;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.flush.commit.Quarantine;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NodeServerTest {
  private static final String BIRTH = "0123abcd-0000-4000-8000-000000000000";
  private static final CheckpointId ID = Written.id(1, 20);
  private static final Member FIRST = new Member(Written.GROUP, 0, 2);
  private static final Member SECOND = new Member(Written.GROUP, 1, 2);
  private static final String CONTAINER = StoreNames.container(0);

  private final MemoryStore node = new MemoryStore("node");
  private final CheckpointStore life =
      new SubdirectoryStore(node, StoreNames.life(Written.GROUP, BIRTH));
  private final AtomicLong served = new AtomicLong();
  private final ExecutorService thread = NodeServer.thread();
  private final NodeServer server =
      new NodeServer(Written.GROUP.job(), node, served::addAndGet, thread);

  @AfterEach
  void close() {
    thread.shutdownNow();
  }

  private static PeerReply ask(NodeServer server, PeerRequest question) {
    return Wire.decode(
        server.answer(Wire.encode(question)).toCompletableFuture().join(), PeerReply.class);
  }

  private List<RankHolding> survey(Member member, String birth) {
    return ((PeerReply.AtNode) ask(server, new PeerRequest.SurveyNode(Level.NODE, member, birth)))
        .holdings();
  }

  private static PeerRequest.ReadNode read(String container, long offset, int bytes) {
    return new PeerRequest.ReadNode(Level.NODE, ID, BIRTH, container, offset, bytes);
  }

  @Test
  void aRankLearnsOfItsContainersAndOfTheLineOfOthers() throws IOException {
    Written.part(life, ID, 0, 2, Ancestry.NONE);

    RankHolding own = survey(FIRST, BIRTH).get(0);
    RankHolding others = survey(SECOND, BIRTH).get(0);

    assertThat(own.containers()).singleElement().extracting(c -> c.file()).isEqualTo(CONTAINER);
    assertThat(own.candidate().orElseThrow().id()).isEqualTo(ID);
    assertThat(others.containers()).isEmpty();
    assertThat(others.candidate().orElseThrow().ancestry()).isEqualTo(Ancestry.NONE);
    assertThat(others.size()).isEqualTo(2);
  }

  @Test
  void aDamagedPartIsReported() throws IOException {
    Written.part(life, ID, 0, 2, Ancestry.NONE);
    node.flip(path(StoreNames.manifestPart(0)), 99);

    RankHolding damaged = survey(FIRST, BIRTH).get(0);

    assertThat(damaged.problem()).isNotEmpty();
    assertThat(damaged.proof()).isEqualTo(Proof.DAMAGE);
    assertThat(damaged.containers()).isEmpty();
  }

  private static String path(String file) {
    return StoreNames.life(Written.GROUP, BIRTH) + "/" + StoreNames.file(ID, file);
  }

  @Test
  void aCopyThatWasSetAsideIsServedToNobody() throws IOException {
    Written.part(life, ID, 0, 2, Ancestry.NONE);
    new Quarantine(life).add(ID, 0, "none");

    assertThat(survey(FIRST, BIRTH)).isEmpty();
    assertThatThrownBy(() -> ask(server, read(StoreNames.quarantined(CONTAINER), 0, 1)))
        .hasMessageContaining("is not a container");
    assertThatThrownBy(() -> ask(server, read(CONTAINER, 0, 1)))
        .hasRootCauseInstanceOf(NoSuchFileException.class);
  }

  @Test
  void anotherGroupOrBirthHasNothing() throws IOException {
    Written.part(life, ID, 0, 2, Ancestry.NONE);

    assertThat(survey(FIRST, BIRTH.replace('0', '1'))).isEmpty();
    assertThat(survey(new Member(new GroupId("job", "other"), 0, 2), BIRTH)).isEmpty();
  }

  @Test
  void copiesForOtherNodesAreServedApart() throws IOException {
    CheckpointStore copies = new SubdirectoryStore(node, StoreNames.copies(Written.GROUP, BIRTH));
    Written.part(copies, ID, 0, 2, Ancestry.NONE);

    PeerReply kept = ask(server, new PeerRequest.SurveyNode(Level.PEER, FIRST, BIRTH));
    PeerReply piece = ask(server, new PeerRequest.ReadNode(Level.PEER, ID, BIRTH, CONTAINER, 0, 8));

    assertThat(((PeerReply.AtNode) kept).holdings()).hasSize(1);
    assertThat(((PeerReply.Piece) piece).bytes().remaining()).isEqualTo(8);
    assertThat(survey(FIRST, BIRTH)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"DEVICE", "STORE"})
  void otherLevelsAreNotServed(Level level) {
    assertThatThrownBy(() -> ask(server, new PeerRequest.SurveyNode(level, FIRST, BIRTH)))
        .hasMessageContaining("no copies at " + level);
  }

  @Test
  void aNodeThatKeepsNoCopiesRefusesOrders() {
    assertThatThrownBy(() -> ask(server, new PeerRequest.DropCopies(BIRTH, ID)))
        .hasMessageContaining("answers no DropCopies");
  }

  @Test
  void anotherJobIsRefused() {
    assertThatThrownBy(() -> survey(new Member(new GroupId("other", "group"), 0, 2), BIRTH))
        .hasMessageContaining("serves job job, not other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "../../other", "0123ABCD-0000-4000-8000-000000000000", "a/b"})
  void aBirthThatIsNoneIsRefused(String birth) {
    assertThatThrownBy(() -> survey(FIRST, birth)).hasMessageContaining("not the birth");
  }

  @Test
  void theBytesOfAContainerAreServedAndCounted() throws IOException {
    Written.part(life, ID, 0, 2, Ancestry.NONE);
    byte[] content = node.content(path(CONTAINER));

    PeerReply.Piece piece = (PeerReply.Piece) ask(server, read(CONTAINER, 5, 40));

    byte[] bytes = new byte[40];
    piece.bytes().get(bytes);
    assertThat(bytes).isEqualTo(Arrays.copyOfRange(content, 5, 45));
    assertThat(served).hasValue(40);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "..",
        "MANIFEST-r00000",
        "../birth",
        "../../../../../cairn-store-id",
        "writer-r00000-/../../../birth.chunks",
        "writer-r00000-a/b.chunks",
        "/etc/passwd",
        "writer-r00000.chunks\0"
      })
  void aNameThatIsNoContainersIsNotOpened(String name) throws IOException {
    Written.part(life, ID, 0, 2, Ancestry.NONE);

    assertThatThrownBy(() -> ask(server, read(name, 0, 1)))
        .hasMessageContaining("is not a container");
  }

  @Test
  void aRangeBeyondTheFileIsRefused() throws IOException {
    Written.part(life, ID, 0, 2, Ancestry.NONE);
    int length = node.content(path(CONTAINER)).length;

    assertThatThrownBy(() -> ask(server, read(CONTAINER, length - 3, 4)))
        .hasRootCauseInstanceOf(IOException.class);
    assertThat(served).hasValue(0);
  }

  @Test
  void otherRequestsAreRefused() {
    assertThatThrownBy(() -> ask(server, new PeerRequest.Greet()))
        .hasMessageContaining("not a ToNode");
    assertThatThrownBy(() -> server.receive(new byte[0], 1)).hasMessageContaining("no chunks");
  }

  /** As when a large group restores: each rank asks one process of each node. */
  @Test
  void manySurveysAtOnceAreAllAnsweredAndListTheGroupOnce() throws Exception {
    Written.part(life, ID, 0, 2, Ancestry.NONE);
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    List<String> opened = new CopyOnWriteArrayList<>();
    NodeServer slow =
        new NodeServer(
            Written.GROUP.job(),
            opening(opened::add),
            bytes -> {
              busy.countDown();
              awaitQuietly(release);
            },
            thread);
    CompletionStage<byte[]> first = slow.answer(Wire.encode(read(CONTAINER, 0, 1)));
    assertThat(busy.await(30, TimeUnit.SECONDS)).isTrue();
    opened.clear();
    List<CompletionStage<byte[]>> taken = new ArrayList<>();
    for (int each = 0; each < 500; each++) {
      Member member = each % 2 == 0 ? FIRST : SECOND;
      taken.add(slow.answer(Wire.encode(new PeerRequest.SurveyNode(Level.NODE, member, BIRTH))));
    }

    release.countDown();

    assertThat(first).succeedsWithin(30, TimeUnit.SECONDS);
    for (CompletionStage<byte[]> each : taken) {
      assertThat(each).succeedsWithin(30, TimeUnit.SECONDS);
    }
    assertThat(holdings(taken.get(0)).get(0).containers()).isNotEmpty();
    assertThat(holdings(taken.get(1)).get(0).containers()).isEmpty();
    assertThat(opened).containsExactly(path(StoreNames.manifestPart(0)));
  }

  @Test
  void aSurveyShowsWhatWasPublishedSinceTheLast() throws IOException {
    Written.part(life, ID, 0, 2, Ancestry.NONE);
    assertThat(survey(FIRST, BIRTH)).hasSize(1);

    Written.part(life, Written.id(1, 30), 0, 2, Ancestry.NONE);

    assertThat(survey(FIRST, BIRTH)).hasSize(2);
  }

  private static List<RankHolding> holdings(CompletionStage<byte[]> answer) {
    byte[] bytes = answer.toCompletableFuture().join();
    return Wire.decode(bytes, PeerReply.AtNode.class).holdings();
  }

  /** The node, with each path that is opened there. */
  private CheckpointStore opening(Consumer<String> opened) {
    return (CheckpointStore)
        Proxy.newProxyInstance(
            NodeServerTest.class.getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("open")) {
                opened.accept(arguments[0].toString());
              }
              try {
                return method.invoke(node, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** A question that stays unanswered costs the one who asks its whole patience. */
  @Test
  void anErrorFailsTheQuestionAtOnce() throws IOException {
    Written.part(life, ID, 0, 2, Ancestry.NONE);
    NodeServer failing =
        new NodeServer(
            Written.GROUP.job(),
            node,
            bytes -> {
              throw new OutOfMemoryError("direct buffer memory");
            },
            thread);

    assertThat(failing.answer(Wire.encode(read(CONTAINER, 0, 1))))
        .failsWithin(30, TimeUnit.SECONDS)
        .withThrowableThat()
        .withMessageContaining("direct buffer memory");
    assertThat(survey(FIRST, BIRTH)).hasSize(1);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
