package io.cairn.engine.sharing.borrower;

import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.RegionImage;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.engine.sharing.peer.Peers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The chunks of a checkpoint that lie at one lender. Thread-safe. */
public final class LentPart {
  private static final Logger LOG = LoggerFactory.getLogger(LentPart.class);

  /** How often a lender is asked whether it has written what it was to write. */
  private static final int MOST_FLUSH_QUESTIONS = 100;

  private final Borrowed borrowed;
  private final Peers peers;
  private @Nullable CompletionStage<Void> announced;

  LentPart(Borrowed borrowed, Peers peers) {
    this.borrowed = borrowed;
    this.peers = peers;
  }

  /** Whether the chunk of this number came to lie there. */
  public boolean holds(int chunk) {
    return chunk >= borrowed.first() && chunk - borrowed.first() < chunks();
  }

  /** How many they are. */
  public int chunks() {
    return borrowed.loan().chunks();
  }

  /** Whether the lender is on this machine, so that its NODE may be ours. */
  public boolean isNear() {
    return peers.known(borrowed.lender()).flatMap(Peers.Peer::slots).isPresent();
  }

  /** Tells the lender once what was written; completes when it holds all of it. */
  synchronized CompletionStage<Void> announce() {
    CompletionStage<Void> once = announced;
    if (once == null) {
      once = announceNow();
      announced = once;
    }
    return once;
  }

  private CompletionStage<Void> announceNow() {
    List<FilledChunk> chunks = borrowed.filled();
    if (chunks.isEmpty()) {
      return CompletableFuture.failedFuture(
          new IllegalStateException(borrowed.id() + ": nothing of it lies there any more"));
    }
    PeerRequest filled = new PeerRequest.Lease(new LeaseRequest.Filled(borrowed.id(), chunks));
    return peers
        .ask(borrowed.lender(), filled, PeerReply.Leased.class)
        .thenAccept(leased -> requireHeld(leased.answer(), chunks.size()))
        .whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                borrowed.held().complete(null);
              } else {
                borrowed.held().completeExceptionally(failure);
              }
            });
  }

  private void requireHeld(LeaseAnswer answer, int chunks) {
    if (!(answer instanceof LeaseAnswer.Acknowledged all) || all.positions().size() < chunks) {
      throw new IllegalStateException(borrowed.lender() + " does not hold all: " + answer);
    }
  }

  /**
   * Asks the lender to write these chunks into a container of its own at NODE, as soon as it holds
   * them. The checkpoint is complete, and stays pinned until this has completed.
   *
   * @param groupSize ranks of the group
   * @param node the identity of the store that is NODE here
   * @param images of all of the rank's regions
   * @return the container, which the lender says that it wrote; fails within bounded time if the
   *     lender refuses, fails, or does not answer
   */
  public CompletionStage<ContainerSummary> flush(
      int groupSize, String node, List<RegionImage> images) {
    PeerRequest.Flush order = new PeerRequest.Flush(borrowed.id(), groupSize, node, images);
    return announce().thenCompose(held -> flush(order, MOST_FLUSH_QUESTIONS));
  }

  /** Asks again while the lender still writes. */
  private CompletionStage<ContainerSummary> flush(PeerRequest.Flush order, int questions) {
    return peers
        .ask(borrowed.lender(), order, PeerReply.Flushing.class)
        .thenCompose(
            reply -> {
              if (reply instanceof PeerReply.Written written) {
                requireOrdered(written.container(), order);
                return CompletableFuture.completedFuture(written.container());
              } else if (reply instanceof PeerReply.StillWriting && questions > 1) {
                return flush(order, questions - 1);
              } else if (reply instanceof PeerReply.StillWriting) {
                throw new IllegalStateException(
                    borrowed.lender() + " writes for longer than the borrower waits");
              }
              throw new IllegalArgumentException("no answer to an order to flush is " + reply);
            });
  }

  /** The container's name follows from the lender and the lease; nothing else is read at NODE. */
  private void requireOrdered(ContainerSummary container, PeerRequest.Flush order) {
    String file = HolderId.parse(borrowed.lender()).container(order.lease());
    if (!container.file().equals(file)
        || !container.ranks().equals(List.of(order.lease().rank()))) {
      throw new IllegalArgumentException(
          "%s wrote '%s' for ranks %s, which is not %s"
              .formatted(borrowed.lender(), container.file(), container.ranks(), file));
    }
  }

  /**
   * Tells the lender that these chunks have a copy at NODE that the whole group has, so that they
   * are the first to give way.
   */
  public void flushed() {
    List<Integer> positions = IntStream.range(0, chunks()).boxed().toList();
    PeerRequest flushed = new PeerRequest.Flushed(borrowed.id(), positions);
    peers
        .ask(borrowed.lender(), flushed, PeerReply.Done.class)
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) { // it keeps the part a little longer than it must
                LOG.debug("{} did not hear that {} is at NODE", borrowed.lender(), borrowed.id());
              }
            });
  }

  @Override
  public String toString() {
    return chunks() + " chunks at " + borrowed.lender();
  }
}
