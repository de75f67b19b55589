package io.cairn.engine.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.sharing.Sharing.Asked;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A desk that does not answer costs its time once, not at every checkpoint. */
@Timeout(60)
class DeskLinkTest {
  private static final int CHUNK = 4096;
  private static final long PATIENCE_NANOS = Duration.ofMillis(20).toNanos();
  private static final Member MEMBER = new Member(new GroupId("job", "run"), 0, 1);
  private static final DeskMessage SPARE = new DeskMessage.Spare("holder", 1, CHUNK);

  @TempDir Path root;

  private final AtomicLong clock = new AtomicLong(42);
  private final Desk desk = new Desk();
  private final DeskLink link =
      new DeskLink(desk, new PeerAddress("desk", 1), PATIENCE_NANOS, clock::get, Waits.REAL);
  private SharedMemoryDevice device;
  private ChunkCache cache;

  @BeforeEach
  void open() throws IOException {
    device = SharedMemoryDevice.open(root, root, 16 * CHUNK);
    cache = new ChunkCache(device, 16 * CHUNK, CHUNK);
  }

  @AfterEach
  void close() {
    cache.close();
    device.close();
  }

  /** A desk that is silent, unreachable, or answers. */
  private static final class Desk implements PeerTransport {
    private final List<PeerRequest.Desk> asked = new ArrayList<>();
    private boolean answers;
    private boolean reachable = true;

    @Override
    public PeerAddress address() {
      return new PeerAddress("here", 2);
    }

    @Override
    public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
      PeerRequest.Desk question = (PeerRequest.Desk) Wire.decode(request, PeerRequest.class);
      asked.add(question);
      if (!reachable) {
        return CompletableFuture.failedFuture(
            new PeerException(peer, Reason.UNREACHABLE, "a question", "no connection"));
      }
      return answers
          ? CompletableFuture.completedFuture(Wire.encode(reply(question.message())))
          : new CompletableFuture<>();
    }

    private static PeerReply reply(DeskMessage message) {
      return message instanceof DeskMessage.Report report
          ? new PeerReply.Planned(new PlanAnswer.Part(report.checkpoint(), 0, List.of(), 3, ""))
          : new PeerReply.Done();
    }

    private long reports() {
      return asked.stream().filter(one -> one.message() instanceof DeskMessage.Report).count();
    }

    @Override
    public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
      throw new AssertionError("nothing is pushed to the desk");
    }

    @Override
    public void close() {}
  }

  private PlanAnswer.Part checkpoint(long iteration) throws IOException {
    CheckpointId id = new CheckpointId(MEMBER.group(), 1, iteration);
    CachedCheckpoint target = cache.reservePart(id, 0, 1);
    DeskMessage.Report report = new DeskMessage.Report(MEMBER, 1, iteration, "holder", 3, 0, CHUNK);
    return link.plan(new Asked(MEMBER, target, link.ask(report)), 3);
  }

  @Test
  void aSilentDeskIsAskedOnce() throws IOException {
    for (int iteration = 0; iteration < 5; iteration++) {
      assertThat(checkpoint(iteration).hostChunks()).isEqualTo(3);
      clock.addAndGet(100 * PATIENCE_NANOS);
    }

    assertThat(desk.reports()).isEqualTo(1);
  }

  @Test
  void anUnreachableDeskIsAskedOnce() throws IOException {
    desk.reachable = false;

    for (int iteration = 0; iteration < 5; iteration++) {
      assertThat(checkpoint(iteration).reason()).isNotEmpty();
      link.send(SPARE);
      clock.addAndGet(100 * PATIENCE_NANOS);
    }

    assertThat(desk.reports()).isEqualTo(1);
  }

  @Test
  void aDeskThatAnswersAMessageIsAskedForPlansAgain() throws IOException {
    checkpoint(0);
    desk.answers = true;
    clock.addAndGet(PATIENCE_NANOS);

    link.send(SPARE);

    assertThat(checkpoint(1).reason()).isEmpty();
    assertThat(checkpoint(2).reason()).isEmpty();
    assertThat(desk.reports()).isEqualTo(3);
  }

  @Test
  void thePauseDoublesWhileOnlyPlansFail() throws IOException {
    List<Integer> asked = new ArrayList<>();
    for (int iteration = 0; iteration < 32; iteration++) {
      long before = desk.reports();
      desk.answers = true;
      link.send(SPARE);
      desk.answers = false;
      checkpoint(iteration);
      if (desk.reports() > before) {
        asked.add(iteration);
      }
      clock.addAndGet(PATIENCE_NANOS);
    }

    assertThat(asked).containsExactly(0, 1, 3, 7, 15, 31);
  }
}
