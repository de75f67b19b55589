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
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.ListedHoldings;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;

/**
 * Serves the checkpoints of one job at this node. Reads on one thread; the transport bounds the
 * requests that wait for it. Surveys of one group that wait share one listing. No path from a
 * request is opened: a group, a birth and a container's name are checked, and the path is made of
 * them here. Thread-safe.
 */
final class NodeServer implements PeerService {
  private static final String THREAD = "cairn-node-server";

  /** Checkpoints in one answer, the newest ones; far more than any group keeps. */
  private static final int MOST_HOLDINGS = 256;

  private final String job;
  private final CheckpointStore node;
  private final LongConsumer servedBytes;
  private final Executor thread;

  /** Listings that have not begun, by directory; a survey that comes meanwhile takes part. */
  private final Map<String, CompletableFuture<Inventory.Listing>> listings =
      new ConcurrentHashMap<>();

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

  /** Its thread, which rejects nothing until it ends. */
  static ExecutorService thread() {
    return Executors.newSingleThreadExecutor(DaemonThreads.named(THREAD));
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
      return listing(survey).thenApply(listing -> Wire.encode(atNode(listing, survey.member())));
    } else if (request instanceof PeerRequest.ReadNode read) {
      CheckpointStore life = life(read.level(), read.id().group(), read.birth());
      return soon(() -> Wire.encode(read(life, read)));
    }
    if (request instanceof PeerRequest.ReadPart part) {
      CheckpointStore life =
          life(LevelSpec.keptBy(LevelSpec.Keeper.MACHINE), part.id().group(), part.birth());
      return soon(() -> Wire.encode(part(life, part)));
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

  private <T> CompletableFuture<T> soon(Callable<T> work) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    thread.execute(
        () -> {
          try {
            answer.complete(work.call());
          } catch (Exception e) { // every failure is the asking peer's
            answer.completeExceptionally(e);
          } catch (Error e) {
            DaemonThreads.report(THREAD, e);
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  private CompletableFuture<Inventory.Listing> listing(PeerRequest.SurveyNode survey) {
    GroupId group = survey.member().group();
    CheckpointStore life = life(survey.level(), group, survey.birth());
    String directory = directory(survey.level(), group, survey.birth());
    return listings.computeIfAbsent(
        directory,
        waiting ->
            soon(
                () -> {
                  listings.remove(waiting); // so that it shows all that was there when it was asked
                  return Inventory.list(life, group);
                }));
  }

  private static PeerReply atNode(Inventory.Listing listing, Member member) {
    List<RankHolding> found = ListedHoldings.of(listing, member.rank());
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
