package io.cairn.engine.nodes;

import io.cairn.GroupId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.flush.pipeline.Stage;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Writes other nodes' checkpoints to STORE, as their owners order, from the owners' nodes and at
 * its own pace. An order beyond the bound is refused. Thread-safe.
 *
 * <p>Source of the idea: Sato et al. (2012), whose staging nodes pull.
 */
final class StagingServer implements AutoCloseable {
  private final String job;
  private final StagedContainers containers;
  private final Asking asking;
  private final Stage stage;
  private final LongOrders orders;

  /** One rank's data, and whose orders replace each other. */
  private record Line(String birth, GroupId group, Set<Integer> ranks) {}

  /**
   * Writes nothing yet.
   *
   * @param containers at STORE
   * @param stage writes; bounds the bytes that are promised; ends with this
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  StagingServer(
      String job, StagedContainers containers, Asking asking, Stage stage, LongSupplier nanoTime) {
    this.job = job;
    this.containers = containers;
    this.asking = asking;
    this.stage = stage;
    this.orders =
        new LongOrders(
            asking.waits(),
            nanoTime,
            stage,
            LongOrders.Remembered.ALL,
            Optional.of("wait at this staging server: write them yourself, or ask another one"));
  }

  /** The answer to an order, which may come later. */
  CompletionStage<PeerReply> answer(PeerRequest.StageRank request) {
    try {
      CheckpointManifest part =
          RankPart.decode(request.manifest(), "the order of " + request.owner());
      NodeServer.requireOwn(job, part.id().group(), request.birth());
      NodeFiles from = NodeFiles.ofOwner(asking, request.owner(), part, request.birth());
      return orders.answer(
          new Line(request.birth(), part.id().group(), part.ranks()),
          part,
          part.bytes(),
          () -> new PeerReply.Written(containers.write(part, request.birth(), from)));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Ends its threads; orders that wait stay unanswered. */
  @Override
  public void close() {
    stage.close(Duration.ZERO);
  }
}
