package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.config.StagingSettings;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An owner, its node, and staging servers on other nodes that read from there. */
@Timeout(60)
class StagingTest {
  private static final String BIRTH = StagingOwner.BIRTH;
  private static final PeerAddress DESK = new PeerAddress("desk", 1);
  private static final CheckpointId ID = Written.id(1, 20);
  private static final NodeSite A = site("a");
  private static final NodeSite B = site("b");
  private static final NodeSite OWNER = site("owner");

  private final MemoryStore node = new MemoryStore("owner's node");
  private final CheckpointStore atNode =
      new SubdirectoryStore(node, StoreNames.life(Written.GROUP, BIRTH));
  private final MemoryStore store = new MemoryStore("store");
  private final AtomicLong clock = new AtomicLong(7);
  private final AtomicLong staged = new AtomicLong();
  private final AtomicInteger orders = new AtomicInteger();
  private final ExecutorService ownersThread = NodeServer.thread();
  private final NodeServer owner =
      new NodeServer(Written.GROUP.job(), node, bytes -> {}, ownersThread);
  private final Asking asking =
      new Asking(new AnsweringPeers(this::answer), Duration.ofSeconds(20));
  private final Map<PeerAddress, StagingServer> servers = new HashMap<>();
  private final Map<PeerAddress, PeerReply> stubborn = new HashMap<>();
  private List<NodeSite> known = List.of(A, B);

  private static NodeSite site(String machine) {
    return new NodeSite(machine + "1", machine + ":/node", machine, new PeerAddress(machine, 1));
  }

  @BeforeEach
  void serve() throws IOException {
    StagingOwner.claim(store);
    servers.put(A.address(), server(Written.GROUP.job(), Stage.start("staging", 1 << 20)));
    servers.put(B.address(), server(Written.GROUP.job(), Stage.start("staging", 1 << 20)));
  }

  @AfterEach
  void close() {
    servers.values().forEach(StagingServer::close);
    ownersThread.shutdownNow();
  }

  private StagingServer server(String job, Stage stage) {
    Pace pace = new Pace(0, System::nanoTime, Waits.REAL);
    return new StagingServer(
        job,
        new StagedContainers(store, () -> new ContainerWriter(1 << 20), pace, staged::addAndGet),
        asking,
        stage,
        System::nanoTime);
  }

  private CompletionStage<PeerReply> answer(PeerAddress peer, PeerRequest request) {
    if (peer.equals(DESK)) {
      return CompletableFuture.completedFuture(new PeerReply.Nodes(known));
    } else if (stubborn.containsKey(peer)) {
      return CompletableFuture.completedFuture(stubborn.get(peer));
    } else if (request instanceof PeerRequest.StageRank order) {
      orders.incrementAndGet();
      StagingServer server = servers.get(peer);
      return server == null
          ? CompletableFuture.failedFuture(
              new PeerException(peer, PeerException.Reason.LOST, "order", "no such process"))
          : server.answer(order);
    }
    return owner
        .answer(Wire.encode(request))
        .thenApply(bytes -> Wire.decode(bytes, PeerReply.class));
  }

  private StagingServers servers(int nodes, NodeSite self) throws IOException {
    return servers(new StagingSettings(nodes, List.of(), 0), self);
  }

  private StagingServers servers(StagingSettings settings, NodeSite self) throws IOException {
    OtherNodes others = new OtherNodes(asking, self, DESK, clock::get);
    others.register();
    StagingServers known = new StagingServers(settings, clock::get);
    known.join(asking, others);
    return known;
  }

  private static StagingSettings hosts(String... hosts) {
    return new StagingSettings(0, List.of(hosts), 0);
  }

  private CheckpointManifest publish(int rank) throws IOException {
    Written.part(atNode, ID, rank, 2, Ancestry.NONE);
    return RankPart.find(atNode, ID, rank).orElseThrow();
  }

  private List<String> atStore() throws IOException {
    return store.list(StoreNames.checkpoint(ID)).stream().map(entry -> entry.name()).toList();
  }

  /** Commits the containers as a coordinator does, and reads every chunk. */
  private void requireRestorable(ContainerSummary... containers) throws IOException {
    CheckpointManifest manifest =
        Written.manifest(ID, containers.length, Ancestry.NONE, List.of(containers));
    new ManifestCommit(store).commit(manifest, StoreNames.MANIFEST);
    Written.requireReadable(store, Inventory.find(store, ID, 0).orElseThrow());
  }

  @Test
  void aServerWritesTheRanksDataFromItsNode() throws IOException {
    StagingServers known = servers(1, OWNER);
    ContainerSummary first = known.write(publish(0), BIRTH, () -> false).orElseThrow();
    ContainerSummary second = known.write(publish(1), BIRTH, () -> false).orElseThrow();

    assertThat(atStore()).containsExactlyInAnyOrder(first.file(), second.file());
    assertThat(staged).hasValue(first.bytes() + second.bytes());
    requireRestorable(first, second);
  }

  @Test
  void theRanksAreSpreadOverTheServers() throws IOException {
    Map<PeerAddress, StagingServer> all = Map.copyOf(servers);
    StagingServers known = servers(2, OWNER);
    servers.remove(A.address());
    List<Integer> refused = new ArrayList<>();

    for (int rank = 0; rank < 2; rank++) {
      long before = orders.get();
      known.write(publish(rank), BIRTH, () -> false);
      if (orders.get() - before > 1) {
        refused.add(rank);
      }
      clock.addAndGet(Duration.ofMinutes(2).toNanos());
    }

    assertThat(refused).hasSize(1);
    servers.putAll(all);
  }

  @Test
  void withoutServersAProcessWritesItself() throws IOException {
    CheckpointManifest part = publish(0);
    known = List.of();

    assertThat(servers(0, OWNER).write(part, BIRTH, () -> false)).isEmpty();
    assertThat(servers(1, OWNER).write(part, BIRTH, () -> false))
        .as("it is the first node")
        .isEmpty();
    assertThat(
            new StagingServers(new StagingSettings(1, List.of(), 0), clock::get)
                .write(part, BIRTH, () -> false))
        .as("before it joins")
        .isEmpty();
    assertThat(orders).hasValue(0);
  }

  @Test
  void aProcessAtANodeWithServersWritesItself() throws IOException {
    CheckpointManifest part = publish(0);
    known = List.of(A, OWNER);

    assertThat(servers(2, B).write(part, BIRTH, () -> false))
        .as("of nodes a, b and owner")
        .isEmpty();
    assertThat(servers(1, B).write(part, BIRTH, () -> false)).isPresent();
  }

  @Test
  void executorsAtTheGivenHostsWriteAndNoOthers() throws IOException {
    servers.remove(A.address());

    for (int rank = 0; rank < 2; rank++) {
      assertThat(servers(hosts("b"), OWNER).write(publish(rank), BIRTH, () -> false)).isPresent();
    }

    assertThat(orders).as("none to the first node by name").hasValue(2);
  }

  @Test
  void withoutAnExecutorAtTheGivenHostsTheReasonNamesThem() throws IOException {
    CheckpointManifest part = publish(0);

    assertThatThrownBy(() -> servers(hosts("c", "d"), OWNER).write(part, BIRTH, () -> false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("setting staging, [c, d]");
    assertThat(orders).hasValue(0);
  }

  @Test
  void aProcessAtAGivenHostWritesItself() throws IOException {
    CheckpointManifest part = publish(0);
    known = List.of(A, OWNER);

    assertThat(servers(hosts("a", "b"), B).write(part, BIRTH, () -> false)).isEmpty();
    assertThat(orders).hasValue(0);
  }

  @Test
  void theNextServerWritesWhatADeadOneDoesNot() throws IOException {
    Optional.ofNullable(servers.remove(A.address())).orElseThrow().close();

    Optional<ContainerSummary> written = servers(2, OWNER).write(publish(0), BIRTH, () -> false);
    Optional<ContainerSummary> next = servers(2, OWNER).write(publish(1), BIRTH, () -> false);

    assertThat(written).isPresent();
    assertThat(next).isPresent();
    requireRestorable(written.get(), next.get());
  }

  @Test
  void aServerThatHasNoRoomRefuses() throws IOException {
    CountDownLatch open = new CountDownLatch(1);
    Stage full = Stage.start("staging", 1);
    full.offer(
        1,
        () -> {
          try {
            open.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    servers.put(A.address(), server(Written.GROUP.job(), full));
    CheckpointManifest part = publish(0);

    assertThatThrownBy(() -> servers(1, OWNER).write(part, BIRTH, () -> false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("wait at this staging server");

    open.countDown();
  }

  @Test
  void aServerIsAskedUntilItHasWritten() throws Exception {
    CheckpointManifest part = publish(0);
    stubborn.put(A.address(), new PeerReply.StillWriting());
    StagingServers known = servers(1, OWNER);
    CompletableFuture<Optional<ContainerSummary>> written =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return known.write(part, BIRTH, () -> false);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    ContainerSummary container =
        new ContainerSummary("writer-r00000-s1.chunks", 9, Digest.of(new byte[0]), List.of(0));

    stubborn.put(A.address(), new PeerReply.Written(container));

    assertThat(written.get()).contains(container);
  }

  @Test
  void aServerThatWritesForEverIsGivenUp() throws IOException {
    CheckpointManifest part = publish(0);
    stubborn.put(A.address(), new PeerReply.StillWriting());
    StagingServers known = servers(1, OWNER);
    CompletableFuture<Throwable> failed =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                throw new AssertionError("written: " + known.write(part, BIRTH, () -> false));
              } catch (IOException e) {
                return e;
              }
            });
    while (!failed.isDone()) {
      clock.addAndGet(Duration.ofMinutes(2).toNanos());
    }

    assertThat(failed.join()).hasMessageContaining("takes too long to write");
  }

  @Test
  void anOwnerStopsAskingOnceItsGroupGaveTheCheckpointUp() throws IOException {
    CheckpointManifest part = publish(0);
    stubborn.put(A.address(), new PeerReply.StillWriting());
    stubborn.put(B.address(), new PeerReply.StillWriting());
    StagingServers known = servers(2, OWNER);
    AtomicInteger asked = new AtomicInteger();

    assertThatThrownBy(() -> known.write(part, BIRTH, () -> asked.incrementAndGet() > 3))
        .isInstanceOf(SkippedException.class)
        .hasMessageContaining("gave up");

    assertThat(asked).as("and no other server is asked").hasValue(4);
  }

  @Test
  void everyAttemptWritesAFileOfItsOwn() throws IOException {
    StagingServers known = servers(1, OWNER);
    CheckpointManifest part = publish(0);

    ContainerSummary first = known.write(part, BIRTH, () -> false).orElseThrow();
    ContainerSummary again = known.write(part, BIRTH, () -> false).orElseThrow();

    assertThat(atStore()).containsExactlyInAnyOrder(first.file(), again.file()).hasSize(2);
  }

  @Test
  void aDamagedChunkIsNotWritten() throws IOException {
    CheckpointManifest part = publish(0);
    String path =
        StoreNames.life(Written.GROUP, BIRTH) + "/" + StoreNames.file(ID, StoreNames.container(0));
    node.flip(path, 8L * (node.content(path).length / 3));

    assertThatThrownBy(() -> servers(1, OWNER).write(part, BIRTH, () -> false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("CRC32C");
    assertThat(atStore()).isEmpty();
  }

  @Test
  void anAnswerAboutAnotherRankIsRefused() throws IOException {
    CheckpointManifest part = publish(0);
    stubborn.put(
        A.address(),
        new PeerReply.Written(
            new ContainerSummary(
                "writer-r00001-s1.chunks", 9, Digest.of(new byte[0]), List.of(1))));

    assertThatThrownBy(() -> servers(1, OWNER).write(part, BIRTH, () -> false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("answers with");
  }

  @Test
  void anOrderOfAnotherJobIsRefused() throws IOException {
    servers.put(A.address(), server("another-job", Stage.start("staging", 1 << 20)));
    CheckpointManifest part = publish(0);

    assertThatThrownBy(() -> servers(1, OWNER).write(part, BIRTH, () -> false))
        .hasMessageContaining("another-job");
  }
}
