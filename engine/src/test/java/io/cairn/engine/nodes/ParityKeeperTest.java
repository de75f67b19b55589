package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.PeerRequest.RankAt;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.SubdirectoryStore;
import io.cairn.testkit.CrashingMedium;
import io.cairn.testkit.CrashingStore;
import io.cairn.testkit.ProcessKilledException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node that keeps parities, and the nodes of the ranks that they are of. */
@Timeout(60)
class ParityKeeperTest {
  private static final String BIRTH = "0123abcd-0000-4000-8000-000000000000";
  private static final int RANKS = 3;
  private static final CheckpointId ID = Written.id(1, 20);

  private final List<MemoryStore> nodes = new ArrayList<>();
  private final List<NodeServer> servers = new ArrayList<>();
  private final ExecutorService ownersThread = Executors.newSingleThreadExecutor();
  private final MemoryStore node = new MemoryStore("keeper's node");
  private final CheckpointStore copies =
      new SubdirectoryStore(node, StoreNames.copies(Written.GROUP, BIRTH));
  private final AtomicLong kept = new AtomicLong();
  private final JoinedRanks joined = new JoinedRanks();
  private boolean lost;
  private boolean wrongPart;
  private final CopyKeeper keeper =
      new CopyKeeper(
          Written.GROUP.job(),
          node,
          new Asking(new AnsweringPeers(this::ask), Duration.ofSeconds(30)),
          System::nanoTime,
          new Pace(0, System::nanoTime, Waits.REAL),
          Stage.start("peer-keeper", 1 << 20),
          kept::addAndGet,
          joined);

  ParityKeeperTest() {
    for (int rank = 0; rank < RANKS; rank++) {
      MemoryStore owners = new MemoryStore("node of rank " + rank);
      nodes.add(owners);
      servers.add(new NodeServer(Written.GROUP.job(), owners, bytes -> {}, ownersThread));
    }
  }

  @AfterEach
  void close() {
    keeper.close();
    ownersThread.shutdownNow();
  }

  private CompletionStage<PeerReply> ask(PeerAddress peer, PeerRequest question) {
    if (wrongPart && question instanceof PeerRequest.ReadPart part) {
      return ask(site(1).address(), new PeerRequest.ReadPart(part.id(), part.birth(), 1), false);
    }
    return ask(peer, question, lost);
  }

  private CompletionStage<PeerReply> ask(PeerAddress peer, PeerRequest question, boolean fails) {
    return fails
        ? CompletableFuture.failedFuture(new IOException("lost"))
        : servers
            .get(peer.port() - 1)
            .answer(Wire.encode(question))
            .thenApply(bytes -> Wire.decode(bytes, PeerReply.class));
  }

  private static NodeSite site(int rank) {
    return new NodeSite(
        "process-" + rank, "node-" + rank, "owner", new PeerAddress("owner", 1 + rank));
  }

  private void publish(CheckpointId id, int rank) throws IOException {
    CheckpointStore life =
        new SubdirectoryStore(nodes.get(rank), StoreNames.life(Written.GROUP, BIRTH));
    Written.part(life, id, rank, RANKS, Ancestry.NONE);
  }

  private void publishAll(CheckpointId id) throws IOException {
    for (int rank = 0; rank < RANKS; rank++) {
      publish(id, rank);
    }
  }

  private static PeerRequest.KeepParity order(CheckpointId id) {
    return order(id, "xor", List.of(0, 1, 2), 1, 0);
  }

  private static PeerRequest.KeepParity order(
      CheckpointId id, String scheme, List<Integer> ranks, int parities, int index) {
    List<RankAt> members = ranks.stream().map(rank -> new RankAt(rank, site(rank))).toList();
    List<String> holders = new ArrayList<>();
    for (int holder = 0; holder < parities; holder++) {
      holders.add("keeper-" + holder);
    }
    return new PeerRequest.KeepParity(id, BIRTH, scheme, members, holders, index, 1000);
  }

  private PeerReply send(PeerRequest.ToNode order) {
    return keeper.answer(order).orElseThrow().toCompletableFuture().join();
  }

  private List<String> files() {
    return node.files.keySet().stream()
        .map(path -> path.substring(path.lastIndexOf('/') + 1))
        .toList();
  }

  @Test
  void aParityTakesThePlaceOfTheCopiesThatItIsMadeOf() throws IOException {
    publishAll(ID);

    PeerReply reply = send(order(ID));

    assertThat(reply).isEqualTo(new PeerReply.Kept());
    assertThat(files()).containsExactly("MANIFEST-s00000", "parity-s00000-0.chunks");
    StoredCheckpoint stored = Inventory.find(copies, ID, 1).orElseThrow();
    assertThat(stored.ranks()).containsExactly(0, 1, 2);
    assertThat(kept).hasValue(stored.bytes());
  }

  @Test
  void anOrderBeforeARanksDataIsThereIsAnsweredThatItGoesOn() throws IOException {
    publish(ID, 0);
    publish(ID, 2);
    PeerReply early = send(order(ID));
    publish(ID, 1);

    PeerReply late = send(order(ID));

    assertThat(early).isEqualTo(new PeerReply.StillWriting());
    assertThat(late).isEqualTo(new PeerReply.Kept());
  }

  @Test
  void theOrdersOfAllOwnersMakeOneParity() throws IOException {
    publishAll(ID);
    send(order(ID));
    long before = kept.get();

    PeerReply again = send(order(ID));

    assertThat(again).isEqualTo(new PeerReply.Kept());
    assertThat(kept).hasValue(before);
  }

  /** The process ended after it published the parity, and before it deleted the copies. */
  @Test
  void copiesThatAnEarlierProcessLeftGo() throws IOException {
    publishAll(ID);
    send(order(ID));
    Written.part(copies, ID, 1, RANKS, Ancestry.NONE);

    send(order(ID));

    assertThat(files()).containsExactly("MANIFEST-s00000", "parity-s00000-0.chunks");
  }

  /** The process is killed in each of its calls in turn; the next one finds what it left. */
  @Test
  void aProcessThatDiesLeavesNoManifestWithoutItsContainers() throws IOException {
    publishAll(ID);
    boolean made = false;
    for (int calls = 0; !made; calls++) {
      CrashingMedium medium = new CrashingMedium(calls);
      CrashingStore dying = new CrashingStore(medium, calls);
      dying.killAfter(calls);
      try {
        made = fetch(dying).run() instanceof PeerReply.Kept;
      } catch (ProcessKilledException e) {
        assertThat(e).as("after %d calls", calls).hasMessageContaining("memory:/crashing");
      }
      medium.applyLate();
      CheckpointStore left = new CrashingStore(medium, 0);
      assertThat(Inventory.list(left, Written.GROUP).problems()).as("%d calls", calls).isEmpty();
      assertThat(fetch(left).run()).as("after %d calls", calls).isEqualTo(new PeerReply.Kept());
      assertThat(Inventory.find(left, ID, 1).orElseThrow().containersOf(1))
          .as("after %d calls", calls)
          .allMatch(container -> StoreNames.isParity(container.file()));
    }
  }

  private ParityFetch fetch(CheckpointStore into) {
    return new ParityFetch(
        order(ID),
        new Asking(new AnsweringPeers(this::ask), Duration.ofSeconds(30)),
        into,
        new Pace(0, System::nanoTime, Waits.REAL),
        new StagingBuffer(),
        kept::addAndGet);
  }

  @Test
  void aDamagedChunkIsRefusedAndNoParityIsMade() throws IOException {
    publishAll(ID);
    String path =
        StoreNames.life(Written.GROUP, BIRTH) + "/" + StoreNames.file(ID, StoreNames.container(1));
    nodes.get(1).flip(path, 8L * (nodes.get(1).content(path).length / 3));

    assertThatThrownBy(() -> send(order(ID))).hasMessageContaining("writer-r00001.chunks");

    assertThat(files()).noneMatch(StoreNames::isParity);
    assertThat(kept).hasValue(0);
  }

  @Test
  void aNodeThatIsLostFailsTheOrderAtOnce() throws IOException {
    publishAll(ID);
    lost = true;

    assertThatThrownBy(() -> send(order(ID))).hasMessageContaining("lost");
    lost = false;

    assertThat(send(order(ID))).isEqualTo(new PeerReply.Kept());
  }

  @Test
  void newerSealedParitiesReplaceOlderOnes() throws IOException {
    for (int iteration : List.of(10, 20, 30)) {
      publishAll(Written.id(1, iteration));
      send(order(Written.id(1, iteration)));
    }

    send(
        new PeerRequest.RetainCopies(
            BIRTH, Written.id(1, 30), 1, List.of(Written.id(1, 20), Written.id(1, 30))));

    assertThat(Inventory.list(copies, Written.GROUP).everything())
        .containsExactly(Written.id(1, 30));
  }

  @Test
  void aParityOfACheckpointThatWasGivenUpGoes() throws IOException {
    publishAll(ID);
    send(order(ID));

    send(new PeerRequest.DropCopies(BIRTH, ID));

    assertThat(node.files).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"xor,1,1", "xor,2,0", "rs,2,2", "rs,2,-1", "raid,1,0", "rs,65,0"})
  void aCodeThatDoesNotExistIsRefused(String scheme, int parities, int index) {
    PeerRequest.ToNode order = order(ID, scheme, List.of(0, 1, 2), parities, index);

    assertThatThrownBy(() -> send(order)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ranksThatAreNoSetAreRefused() {
    for (List<Integer> ranks :
        List.of(List.<Integer>of(), List.of(1, 0), List.of(1, 1), List.of(-1, 0))) {
      assertThatThrownBy(() -> ParityFetch.requireSet(order(ID, "xor", ranks, 1, 0)))
          .as("%s", ranks)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** A node serves the wrong part under a rank's name. */
  @Test
  void thePartOfAnotherRankIsRefused() throws IOException {
    publishAll(ID);
    wrongPart = true;

    assertThatThrownBy(() -> send(order(ID))).hasMessageContaining("for rank 0 of");

    assertThat(files()).isEmpty();
  }

  @Test
  void aProcessReportsTheRanksThatItJoinedInThisEpochOnly() {
    joined.joined(new Member(Written.GROUP, 4, 9), 2);
    joined.joined(new Member(Written.GROUP, 1, 9), 2);

    assertThat(send(new PeerRequest.RanksOf(Written.GROUP, 2)))
        .isEqualTo(new PeerReply.Ranks(List.of(1, 4)));
    assertThat(send(new PeerRequest.RanksOf(Written.GROUP, 1)))
        .isEqualTo(new PeerReply.Ranks(List.of()));
  }
}
