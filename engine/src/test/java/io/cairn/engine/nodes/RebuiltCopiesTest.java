package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Level;
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
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A set of three ranks with one parity; the machine of rank 0 is lost. */
@Timeout(60)
class RebuiltCopiesTest {
  private static final String BIRTH = "0123abcd-0000-4000-8000-000000000000";
  private static final PeerAddress DESK = new PeerAddress("desk", 1);
  private static final int RANKS = 3;
  private static final CheckpointId ID = Written.id(1, 20);
  private static final NodeSite HOLDER = site("holder");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Map<PeerAddress, NodeServer> servers = new HashMap<>();
  private final Set<PeerAddress> silent = new HashSet<>();
  private final MemoryStore holder = new MemoryStore("holder");
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final AtomicLong clock = new AtomicLong(7);
  private final Asking asking =
      new Asking(new AnsweringPeers(this::answer), Duration.ofMillis(500));
  private final RebuiltCopies copies =
      new RebuiltCopies(
          Level.PEER,
          asking,
          new OtherNodes(asking, site("self"), DESK, clock::get),
          new MemoryStore("self"),
          new Member(Written.GROUP, 0, RANKS),
          () -> BIRTH,
          PATIENCE,
          bytes -> {});

  private static NodeSite site(String machine) {
    return new NodeSite(machine + "1", machine + ":/node", machine, new PeerAddress(machine, 1));
  }

  private static NodeSite ofRank(int rank) {
    return site("rank-" + rank);
  }

  private CompletionStage<PeerReply> answer(PeerAddress peer, PeerRequest question) {
    if (peer.equals(DESK)) {
      List<NodeSite> known = List.of(ofRank(1), ofRank(2), HOLDER);
      return CompletableFuture.completedFuture(new PeerReply.Nodes(known));
    } else if (silent.contains(peer)) {
      return new CompletableFuture<>();
    }
    return servers
        .getOrDefault(peer, serverAt(new MemoryStore("nothing")))
        .answer(Wire.encode(question))
        .thenApply(bytes -> Wire.decode(bytes, PeerReply.class));
  }

  private NodeServer serverAt(MemoryStore node) {
    return new NodeServer(Written.GROUP.job(), node, bytes -> {}, thread);
  }

  @BeforeEach
  void write() throws IOException {
    for (int rank = 0; rank < RANKS; rank++) {
      MemoryStore node = new MemoryStore("rank " + rank);
      servers.put(ofRank(rank).address(), serverAt(node));
      String life = StoreNames.life(Written.GROUP, BIRTH);
      Written.part(new SubdirectoryStore(node, life), ID, rank, RANKS, Ancestry.NONE);
    }
    servers.put(HOLDER.address(), serverAt(holder));
    List<RankAt> members =
        List.of(new RankAt(0, ofRank(0)), new RankAt(1, ofRank(1)), new RankAt(2, ofRank(2)));
    PeerReply made =
        new ParityFetch(
                new PeerRequest.KeepParity(
                    ID, BIRTH, "xor", members, List.of(HOLDER.node()), 0, 1000),
                asking,
                new SubdirectoryStore(holder, StoreNames.copies(Written.GROUP, BIRTH)),
                new Pace(0, System::nanoTime, Waits.REAL),
                new StagingBuffer(),
                bytes -> {})
            .run();
    assertThat(made).isEqualTo(new PeerReply.Kept());
    servers.remove(ofRank(0).address());
  }

  @AfterEach
  void close() {
    thread.shutdownNow();
  }

  private void assertRebuilt() throws IOException {
    Optional<Copy> copy = copies.open(ID, 0);
    assertThat(copy).isPresent();
    copy.get().close();
  }

  /** Else the rank refuses the checkpoint for good, and its group goes back to an older one. */
  @Test
  void aPieceAtANodeThatIsSilentForAMomentIsNotGone() throws IOException {
    silent.add(ofRank(1).address());

    assertThatThrownBy(() -> copies.open(ID, 0))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("rank 1 of rank-1:/node")
        .hasMessageContaining("rank-1:/node gives no answer");
    silent.clear();

    assertRebuilt();
  }

  @Test
  void aParityAtANodeThatIsSilentForAMomentIsNotGone() throws IOException {
    silent.add(HOLDER.address());

    assertThatThrownBy(() -> copies.open(ID, 0)).hasMessageContaining("holder:/node");
    silent.clear();

    assertRebuilt();
  }

  /** That node may keep another parity. */
  @Test
  void aDamagedParityIsNotTheLastWordWhileANodeIsSilent() {
    for (String file : List.copyOf(holder.files.keySet())) {
      if (StoreNames.isParity(file.substring(file.lastIndexOf('/') + 1))) {
        holder.flip(file, 8 * 10);
      }
    }
    assertThatThrownBy(() -> copies.open(ID, 0)).isInstanceOf(NoSuchFileException.class);
    silent.add(ofRank(2).address());

    assertThatThrownBy(() -> copies.open(ID, 0))
        .isNotInstanceOf(NoSuchFileException.class)
        .hasStackTraceContaining("rank-2:/node gives no answer");
  }

  @Test
  void aPieceAtANodeThatStaysSilentIsGone() throws IOException {
    silent.add(ofRank(1).address());
    assertThatThrownBy(() -> copies.open(ID, 0)).isNotInstanceOf(NoSuchFileException.class);

    clock.addAndGet(PATIENCE.toNanos());

    assertThatThrownBy(() -> copies.open(ID, 0)).isInstanceOf(NoSuchFileException.class);
    silent.add(HOLDER.address());
    assertThatThrownBy(() -> copies.open(ID, 0)).hasMessageContaining("holder:/node");
    clock.addAndGet(PATIENCE.toNanos());
    assertThat(copies.open(ID, 0)).isEmpty();
  }
}
