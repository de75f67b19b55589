package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.Member;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.SubdirectoryStore;
import io.cairn.testkit.CrashingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that keeps copies, and the node of their owner. */
@Timeout(60)
class CopyKeeperTest {
  private static final String BIRTH = "0123abcd-0000-4000-8000-000000000000";
  private static final NodeSite OWNER =
      new NodeSite("owner", "machine:/node", "machine", new PeerAddress("owner", 1));

  private final MemoryStore ownersNode = new MemoryStore("owner's node");
  private final CheckpointStore owners =
      new SubdirectoryStore(ownersNode, StoreNames.life(Written.GROUP, BIRTH));
  private final ExecutorService ownersThread = NodeServer.thread();
  private final NodeServer owner =
      new NodeServer(Written.GROUP.job(), ownersNode, bytes -> {}, ownersThread);
  private final MemoryStore node = new MemoryStore("node");
  private final CheckpointStore copies =
      new SubdirectoryStore(node, StoreNames.copies(Written.GROUP, BIRTH));
  private final AtomicLong kept = new AtomicLong();
  private UnaryOperator<CompletionStage<PeerReply>> reads = UnaryOperator.identity();
  private final JoinedRanks joined = new JoinedRanks();
  private final CopyKeeper keeper = keeperAt(node);

  private CopyKeeper keeperAt(CheckpointStore root) {
    return keeperAt(root, 1 << 20);
  }

  private CopyKeeper keeperAt(CheckpointStore root, long mostQueuedBytes) {
    return new CopyKeeper(
        Written.GROUP.job(),
        root,
        new Asking(new AnsweringPeers((peer, question) -> ask(question)), Duration.ofSeconds(30)),
        System::nanoTime,
        new Pace(0, System::nanoTime, Waits.REAL),
        Stage.start("peer-keeper", mostQueuedBytes),
        kept::addAndGet,
        joined);
  }

  @AfterEach
  void close() {
    keeper.close();
    ownersThread.shutdownNow();
  }

  private CompletionStage<PeerReply> ask(PeerRequest question) {
    return reads.apply(
        owner
            .answer(Wire.encode(question))
            .thenApply(bytes -> Wire.decode(bytes, PeerReply.class)));
  }

  private PeerReply order(PeerRequest.ToNode order) {
    return order(keeper, order);
  }

  private static PeerReply order(CopyKeeper to, PeerRequest.ToNode order) {
    return to.answer(order).orElseThrow().toCompletableFuture().join();
  }

  private CheckpointManifest atOwner(CheckpointId id, int rank) throws IOException {
    Written.part(owners, id, rank, 2, Ancestry.NONE);
    return Inventory.find(owners, id, rank).orElseThrow().parts().stream()
        .filter(part -> part.ranks().contains(rank))
        .findFirst()
        .orElseThrow();
  }

  private static PeerRequest.KeepCopy keep(CheckpointManifest part) {
    return new PeerRequest.KeepCopy(OWNER, BIRTH, ByteBuffer.wrap(ManifestCodec.encode(part)));
  }

  private List<CheckpointId> here() throws IOException {
    return List.copyOf(Inventory.list(copies, Written.GROUP).checkpoints().keySet());
  }

  @Test
  void aCopyIsWholeAndCountsOnceItIsKept() throws IOException {
    CheckpointId id = Written.id(1, 20);
    CheckpointManifest part = atOwner(id, 0);

    PeerReply reply = order(keep(part));

    assertThat(reply).isEqualTo(new PeerReply.Kept());
    assertThat(kept).hasValue(part.bytes());
    assertThat(here()).containsExactly(id);
    Written.requireReadable(copies, Inventory.find(copies, id, 0).orElseThrow());
    assertThat(Inventory.find(copies, id, 0).orElseThrow().digestFor(0))
        .isEqualTo(ManifestCodec.digest(part));
  }

  @Test
  void theNodesOwnCheckpointsAreOthers() throws IOException {
    order(keep(atOwner(Written.id(1, 20), 0)));

    CheckpointStore own = new SubdirectoryStore(node, StoreNames.life(Written.GROUP, BIRTH));

    assertThat(Inventory.list(own, Written.GROUP).everything()).isEmpty();
  }

  @Test
  void aRepeatedOrderFetchesNothingAgain() throws IOException {
    PeerRequest.KeepCopy order = keep(atOwner(Written.id(1, 20), 0));
    order(order);
    long before = kept.get();

    PeerReply again = order(order);

    assertThat(again).isEqualTo(new PeerReply.Kept());
    assertThat(kept).hasValue(before);
  }

  /** Two processes trained the rank, as after a false alarm. */
  @Test
  void anotherCopyOfTheCheckpointIsNotTakenForTheOneThatIsOrdered() throws IOException {
    CheckpointManifest first = atOwner(Written.id(1, 20), 0);
    order(keep(first));
    CheckpointManifest second = Written.manifest(first.id(), 2, Ancestry.NONE, first.containers());

    assertThatThrownBy(() -> order(keep(second))).hasMessageContaining("another copy of");

    assertThat(Inventory.find(copies, first.id(), 0).orElseThrow().digestFor(0))
        .isEqualTo(ManifestCodec.digest(first));
  }

  @Test
  void anEpochThatIsOverIsNotFetched() throws IOException {
    CheckpointManifest part = atOwner(Written.id(1, 20), 0);
    joined.joined(new Member(Written.GROUP, 1, 2), 1);
    order(keep(part));
    CheckpointManifest late = atOwner(Written.id(1, 30), 0);
    joined.joined(new Member(Written.GROUP, 1, 2), 2);

    assertThatThrownBy(() -> order(keep(late))).hasMessageContaining("an epoch that is over");

    assertThat(here()).containsExactly(part.id());
  }

  @Test
  void copiesOfSeveralRanksLieSideBySide() throws IOException {
    CheckpointId id = Written.id(1, 20);

    order(keep(atOwner(id, 0)));
    order(keep(atOwner(id, 1)));

    assertThat(Inventory.find(copies, id, 0).orElseThrow().ranks()).containsExactly(0, 1);
  }

  @Test
  void aDamagedChunkIsRefusedAndLeavesNothing() throws IOException {
    CheckpointId id = Written.id(1, 20);
    CheckpointManifest part = atOwner(id, 0);
    String container =
        StoreNames.life(Written.GROUP, BIRTH) + "/" + StoreNames.file(id, StoreNames.container(0));
    ownersNode.flip(container, 8L * (part.bytes() / 3));

    assertThatThrownBy(() -> order(keep(part))).hasMessageContaining("writer-r00000.chunks");

    assertThat(node.files).isEmpty();
    assertThat(kept).hasValue(0);
  }

  @Test
  void aWrongDigestIsRefusedAndLeavesNothing() throws IOException {
    CheckpointManifest part = atOwner(Written.id(1, 20), 0);
    ContainerSummary container = part.containers().get(0);
    CheckpointManifest wrong =
        Written.manifest(
            part.id(),
            2,
            Ancestry.NONE,
            List.of(
                new ContainerSummary(
                    container.file(),
                    container.bytes(),
                    Digest.of(new byte[] {7}),
                    container.ranks())));

    assertThatThrownBy(() -> order(keep(wrong))).hasMessageContaining("its manifest says");

    assertThat(node.files).isEmpty();
  }

  @Test
  void anOwnerThatIsLostInTheMiddleLeavesNothing() throws IOException {
    CheckpointManifest part = atOwner(Written.id(1, 20), 0);
    reads = answer -> CompletableFuture.failedFuture(new IOException("lost"));

    assertThatThrownBy(() -> order(keep(part))).hasMessageContaining("lost");

    assertThat(node.files).isEmpty();
  }

  @Test
  void aFetchThatFailedIsTriedAgain() throws IOException {
    CheckpointManifest part = atOwner(Written.id(1, 20), 0);
    AtomicInteger asked = new AtomicInteger();
    reads =
        answer ->
            asked.incrementAndGet() == 1
                ? CompletableFuture.failedFuture(new IOException("lost"))
                : answer;
    assertThatThrownBy(() -> order(keep(part))).hasMessageContaining("lost");

    assertThat(order(keep(part))).isEqualTo(new PeerReply.Kept());
  }

  /** Its owner may have no other machine to ask, and all ranks order at the same moment. */
  @Test
  void anOrderBeyondTheBoundIsTakenLater() throws IOException {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    reads = answer -> gate.thenCompose(open -> answer);
    try (CopyKeeper narrow = keeperAt(node, 1)) {
      CompletionStage<PeerReply> first =
          narrow.answer(keep(atOwner(Written.id(1, 20), 0))).orElseThrow();
      PeerRequest.KeepCopy beyond = keep(atOwner(Written.id(1, 20), 1));

      assertThat(order(narrow, beyond)).isEqualTo(new PeerReply.StillWriting());

      gate.complete(null);
      assertThat(first.toCompletableFuture().join()).isEqualTo(new PeerReply.Kept());
      PeerReply again = order(narrow, beyond);
      while (again instanceof PeerReply.StillWriting) { // the first one's room is not free yet
        again = order(narrow, beyond);
      }
      assertThat(again).isEqualTo(new PeerReply.Kept());
    }
  }

  /** NODE keeps 256 at most, and some more are on their way. */
  @Test
  void aNodeKeepsAsManyAsAnOwnerThatRetains() throws IOException {
    for (int iteration = 0; iteration < 300; iteration++) {
      assertThat(order(keep(atOwner(Written.id(1, iteration), 0))))
          .as("copy %d", iteration)
          .isEqualTo(new PeerReply.Kept());
    }
  }

  @Test
  void aNodeKeepsOnlySoManyCheckpointsOfARank() throws IOException {
    for (int iteration = 0; iteration < CopyKeeper.MOST_PER_RANK; iteration++) {
      order(keep(atOwner(Written.id(1, iteration), 0)));
    }

    assertThatThrownBy(() -> order(keep(atOwner(Written.id(1, 1000), 0))))
        .hasMessageContaining("keeps " + CopyKeeper.MOST_PER_RANK + " checkpoints");
    assertThat(order(keep(atOwner(Written.id(1, 1000), 1)))).isEqualTo(new PeerReply.Kept());
  }

  @Test
  void newerSealedCopiesReplaceOlderOnes() throws IOException {
    for (int iteration : List.of(10, 20, 30, 40)) {
      order(keep(atOwner(Written.id(1, iteration), 0)));
    }

    order(
        new PeerRequest.RetainCopies(
            BIRTH, Written.id(1, 30), 2, List.of(Written.id(1, 20), Written.id(1, 30))));

    assertThat(here()).containsExactly(Written.id(1, 20), Written.id(1, 30), Written.id(1, 40));
  }

  @Test
  void anOwnerLearnsOfADeleteThatFails() throws IOException {
    CrashingStore disk = new CrashingStore(1);
    try (CopyKeeper failing = keeperAt(disk)) {
      order(failing, keep(atOwner(Written.id(1, 10), 0)));
      order(failing, keep(atOwner(Written.id(1, 20), 0)));
      disk.failNext(CrashingStore.Call.DELETE, CrashingStore.Fault.REFUSED);

      assertThatThrownBy(
              () ->
                  order(
                      failing,
                      new PeerRequest.RetainCopies(
                          BIRTH, Written.id(1, 20), 1, List.of(Written.id(1, 20)))))
          .hasMessageContaining("injected fault REFUSED in DELETE");
    }
  }

  /** The owner's partner changed, as when a lost machine came back. */
  @Test
  void whatNewerCopiesAtAnotherNodeReplaceGoes() throws IOException {
    for (int iteration : List.of(10, 20, 30)) {
      order(keep(atOwner(Written.id(1, iteration), 0)));
    }

    order(
        new PeerRequest.RetainCopies(
            BIRTH, Written.id(1, 40), 2, List.of(Written.id(1, 40), Written.id(1, 30))));

    assertThat(here()).containsExactly(Written.id(1, 30));
  }

  @Test
  void tooFewNewerOnesReplaceNone() throws IOException {
    order(keep(atOwner(Written.id(1, 10), 0)));
    order(keep(atOwner(Written.id(1, 20), 0)));

    order(new PeerRequest.RetainCopies(BIRTH, Written.id(1, 40), 2, List.of(Written.id(1, 40))));

    assertThat(here()).containsExactly(Written.id(1, 10), Written.id(1, 20));
  }

  /** A copy alone proves no seal: another rank's partner may have refused. */
  @Test
  void aCopyThatIsNotSealedReplacesNone() throws IOException {
    for (int iteration : List.of(10, 20, 30)) {
      order(keep(atOwner(Written.id(1, iteration), 0)));
    }

    order(new PeerRequest.RetainCopies(BIRTH, Written.id(1, 10), 1, List.of(Written.id(1, 10))));

    assertThat(here()).containsExactly(Written.id(1, 10), Written.id(1, 20), Written.id(1, 30));
  }

  @Test
  void aCheckpointThatWasGivenUpGoes() throws IOException {
    order(keep(atOwner(Written.id(1, 10), 0)));
    order(keep(atOwner(Written.id(1, 20), 0)));

    order(new PeerRequest.DropCopies(BIRTH, Written.id(1, 20)));

    assertThat(here()).containsExactly(Written.id(1, 10));
  }

  @Test
  void copiesOfATrainingThatEndedGoButNotThoseOfALaterEpoch() throws IOException {
    order(keep(atOwner(Written.id(1, 10), 0)));
    order(keep(atOwner(Written.id(3, 10), 0)));

    order(new PeerRequest.ReleaseCopies(Written.GROUP, BIRTH, 2));

    assertThat(here()).containsExactly(Written.id(3, 10));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "../../other", "0123ABCD-0000-4000-8000-000000000000", "a/b"})
  void aBirthThatIsNoneIsRefused(String birth) throws IOException {
    CheckpointManifest part = atOwner(Written.id(1, 20), 0);
    ByteBuffer text = ByteBuffer.wrap(ManifestCodec.encode(part));

    assertThatThrownBy(() -> order(new PeerRequest.KeepCopy(OWNER, birth, text)))
        .hasMessageContaining("not the birth");
    assertThatThrownBy(() -> order(new PeerRequest.DropCopies(birth, part.id())))
        .hasMessageContaining("not the birth");
  }

  @ParameterizedTest
  @ValueSource(strings = {"MANIFEST", "writer-r0.chunks", "PEER-r00000", "cairn-store-id"})
  void aFileThatIsNoContainerIsRefused(String file) {
    CheckpointManifest part =
        Written.manifest(
            Written.id(1, 20),
            2,
            Ancestry.NONE,
            List.of(new ContainerSummary(file, 10, Digest.of(new byte[0]), List.of(0))));

    assertThatThrownBy(() -> order(keep(part))).hasMessageContaining("is not a container");
    assertThat(node.files).isEmpty();
  }

  @Test
  void aLengthThatNoFileHasIsRefused() {
    CheckpointManifest part =
        Written.manifest(
            Written.id(1, 20),
            2,
            Ancestry.NONE,
            List.of(
                new ContainerSummary(
                    StoreNames.container(0), Long.MAX_VALUE, Digest.of(new byte[0]), List.of(0)),
                new ContainerSummary(
                    StoreNames.container(0, "more"), 2, Digest.of(new byte[0]), List.of(0))));

    assertThatThrownBy(() -> order(keep(part))).hasMessageContaining("is not a container");
  }

  @Test
  void anOrderOfSeveralRanksIsRefused() {
    CheckpointManifest part =
        Written.manifest(
            Written.id(1, 20),
            2,
            Ancestry.NONE,
            List.of(
                new ContainerSummary(
                    StoreNames.container(0), 10, Digest.of(new byte[0]), List.of(0, 1))));

    assertThatThrownBy(() -> order(keep(part))).hasMessageContaining("not of one");
  }

  @Test
  void bytesThatAreNoManifestAreRefused() {
    byte[] noise = new byte[500];
    Arrays.fill(noise, (byte) 'x');

    assertThatThrownBy(() -> order(new PeerRequest.KeepCopy(OWNER, BIRTH, ByteBuffer.wrap(noise))))
        .hasMessageContaining("the order of");
  }

  @Test
  void anotherJobIsRefused() {
    CopyKeeper others =
        new CopyKeeper(
            "other",
            node,
            new Asking(
                new AnsweringPeers((peer, question) -> ask(question)), Duration.ofSeconds(1)),
            System::nanoTime,
            new Pace(0, System::nanoTime, Waits.REAL),
            Stage.start("peer-keeper", 1 << 20),
            kept::addAndGet,
            new JoinedRanks());

    assertThatThrownBy(() -> others.answer(keep(atOwner(Written.id(1, 20), 0))))
        .hasMessageContaining("serves job other");
    others.close();
  }

  @Test
  void otherRequestsAreNoOrders() {
    assertThat(keeper.answer(new PeerRequest.ReadPart(Written.id(1, 20), BIRTH, 0))).isEmpty();
  }
}
