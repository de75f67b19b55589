package io.cairn.engine.nodes;

import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.peer.PeerService;
import io.cairn.core.protocol.RankHolding;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.ListedHoldings;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Serves the checkpoints of one job at this node. Reads on one thread, and refuses requests that
 * this thread does not take. No path from a request is opened: a group, a birth and a container's
 * name are checked, and the path is made of them here. Thread-safe.
 */
final class NodeServer implements PeerService {
  /** Requests that wait for the thread. */
  static final int MOST_WAITING = 128;

  /** Checkpoints in one answer, the newest ones; far more than any group keeps. */
  private static final int MOST_HOLDINGS = 256;

  private final String job;
  private final CheckpointStore node;
  private final LongConsumer servedBytes;
  private final Executor thread;
  private volatile Optional<CopyKeeper> keeper = Optional.empty();
  private volatile Optional<StagingServer> staging = Optional.empty();

  /**
   * A server of this job.
   *
   * @param node the root of NODE; stays the caller's to close, after this
   * @param servedBytes receives the bytes of each answer to a read
   * @param thread runs one task at a time; the caller's to end
   */
  NodeServer(String job, CheckpointStore node, LongConsumer servedBytes, Executor thread) {
    this.job = job;
    this.node = node;
    this.servedBytes = servedBytes;
    this.thread = thread;
  }

  /** A thread that rejects requests beyond {@value #MOST_WAITING} that wait. */
  static ExecutorService thread() {
    return new ThreadPoolExecutor(
        1,
        1,
        1,
        TimeUnit.MINUTES,
        new ArrayBlockingQueue<>(MOST_WAITING),
        DaemonThreads.named("cairn-node-server"));
  }

  /** Keeps copies for other nodes from now on. */
  void keepBy(CopyKeeper copies) {
    keeper = Optional.of(copies);
  }

  /** Writes to STORE for other nodes from now on. */
  void stageBy(StagingServer server) {
    staging = Optional.of(server);
  }

  @Override
  public CompletionStage<byte[]> answer(byte[] question) {
    PeerRequest.ToNode request = Wire.decode(question, PeerRequest.ToNode.class);
    if (request instanceof PeerRequest.SurveyNode survey) {
      CheckpointStore life = life(survey.level(), survey.member().group(), survey.birth());
      return soon(() -> survey(life, survey.member()));
    } else if (request instanceof PeerRequest.ReadNode read) {
      CheckpointStore life = life(read.level(), read.id().group(), read.birth());
      return soon(() -> read(life, read));
    }
    if (request instanceof PeerRequest.ReadPart part) {
      CheckpointStore life =
          life(LevelSpec.keptBy(LevelSpec.Keeper.MACHINE), part.id().group(), part.birth());
      return soon(() -> part(life, part));
    }
    return ordered(request)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a node answers no " + request.getClass().getSimpleName()))
        .thenApply(Wire::encode);
  }

  private Optional<CompletionStage<PeerReply>> ordered(PeerRequest.ToNode request) {
    return request instanceof PeerRequest.StageRank order
        ? staging.map(server -> server.answer(order))
        : keeper.flatMap(copies -> copies.answer(request));
  }

  /** The copies of one birth of a group of this job. */
  private CheckpointStore life(Level level, GroupId group, String birth) {
    requireOwn(job, group, birth);
    return new SubdirectoryStore(node, directory(level, group, birth));
  }

  /** Where a node has its copies at a level; those that it keeps for other nodes lie apart. */
  static String directory(Level level, GroupId group, String birth) {
    LevelSpec spec = LevelSpec.of(level);
    if (!spec.isServed()) {
      throw new IllegalArgumentException("a node serves no copies at " + level);
    }
    return spec.isFetched() ? StoreNames.copies(group, birth) : StoreNames.life(group, birth);
  }

  /** Refuses groups of other jobs, and births that are none. */
  static void requireOwn(String job, GroupId group, String birth) {
    if (!group.job().equals(job)) {
      throw new IllegalArgumentException("this node serves job " + job + ", not " + group.job());
    } else if (!StoreNames.isBirth(birth)) {
      throw new IllegalArgumentException("'" + birth + "' is not the birth of a group");
    }
  }

  private CompletionStage<byte[]> soon(Callable<PeerReply> work) {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    try {
      thread.execute(
          () -> {
            try {
              answer.complete(Wire.encode(work.call()));
            } catch (Exception e) { // every failure is the asking peer's
              answer.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(
          new IOException(MOST_WAITING + " requests wait at this node: ask again later", e));
    }
    return answer;
  }

  private static PeerReply survey(CheckpointStore life, Member member) throws IOException {
    List<RankHolding> found = ListedHoldings.of(life, member.group(), member.rank());
    // they are sorted, the oldest first
    return new PeerReply.AtNode(
        found.subList(Math.max(0, found.size() - MOST_HOLDINGS), found.size()));
  }

  private static PeerReply part(CheckpointStore life, PeerRequest.ReadPart part)
      throws IOException {
    byte[] text =
        RankPart.find(life, part.id(), part.rank()).map(ManifestCodec::encode).orElse(new byte[0]);
    return new PeerReply.Piece(ByteBuffer.wrap(text));
  }

  private PeerReply read(CheckpointStore life, PeerRequest.ReadNode read) throws IOException {
    if (!StoreNames.isContainer(read.container()) && !StoreNames.isParity(read.container())) {
      throw new IllegalArgumentException("'" + read.container() + "' is not a container");
    }
    ByteBuffer bytes = ByteBuffer.allocate(read.bytes());
    try (StoreInput in = life.open(StoreNames.file(read.id(), read.container()))) {
      in.readFully(read.offset(), bytes);
    }
    servedBytes.accept(read.bytes());
    return new PeerReply.Piece(bytes.flip());
  }
}
