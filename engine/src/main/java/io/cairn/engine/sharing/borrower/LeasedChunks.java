package io.cairn.engine.sharing.borrower;

import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.RegionImage;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.engine.sharing.peer.Peers;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The chunks of one checkpoint that lie in the slots of one lease. Thread-safe. */
public final class LeasedChunks {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedChunks.class);

  /** The most often that a lender is asked whether it has written its container. */
  private static final int MOST_FLUSH_QUESTIONS = 100;

  private final ActiveLease lease;
  private final Peers peers;
  private final Waits waits;
  private @Nullable CompletionStage<Void> announced;

  LeasedChunks(ActiveLease lease, Peers peers, Waits waits) {
    this.lease = lease;
    this.peers = peers;
    this.waits = waits;
  }

  /** Whether the chunk of this number lies in the lease. */
  public boolean holds(int chunk) {
    return chunk >= lease.first() && chunk - lease.first() < chunks();
  }

  /** The number of the first chunk. */
  public int first() {
    return lease.first();
  }

  /** The lender. */
  public String lender() {
    return lease.lender();
  }

  ActiveLease lease() {
    return lease;
  }

  /** The number of chunks. */
  public int chunks() {
    return lease.places().chunks();
  }

  /** Whether the lender is on this machine, so that its NODE may be the borrower's. */
  public boolean isNear() {
    return peers.known(lease.lender()).flatMap(Peers.Peer::slots).isPresent();
  }

  /**
   * Whether the lender is gone, so that what it holds counts no more: declared silent or dead, or
   * dead by the operating system's proof now.
   */
  public boolean isLost() {
    return lease.lost().get()
        || peers.known(lease.lender()).filter(Peers.Peer::isProvenDead).isPresent();
  }

  /** Sends the lender once which slots are filled; completes when it holds all chunks. */
  synchronized CompletionStage<Void> announce() {
    CompletionStage<Void> once = announced;
    if (once == null) {
      once = announceNow();
      announced = once;
    }
    return once;
  }

  private CompletionStage<Void> announceNow() {
    List<FilledChunk> chunks = lease.filled();
    if (chunks.isEmpty()) {
      return CompletableFuture.failedFuture(
          new IllegalStateException(lease.id() + ": its slots hold no chunks any more"));
    }
    PeerRequest filled = new PeerRequest.Lease(new LeaseRequest.Filled(lease.id(), chunks));
    return peers
        .ask(lease.lender(), filled, PeerReply.Leased.class)
        .thenAccept(reply -> requireHeld(reply.answer(), chunks.size()))
        .whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                lease.held().complete(null);
              } else {
                lease.held().completeExceptionally(failure);
              }
            });
  }

  private void requireHeld(LeaseAnswer answer, int chunks) {
    if (!(answer instanceof LeaseAnswer.Acknowledged all) || all.positions().size() < chunks) {
      throw new IllegalStateException(lease.lender() + " does not hold all: " + answer);
    }
  }

  /**
   * Asks the lender to write these chunks into a container of its own at NODE, as soon as it holds
   * them. The checkpoint is complete, and stays pinned until this has completed.
   *
   * @param groupSize ranks of the group
   * @param node the identity of the store that is NODE here
   * @param images of all of the rank's regions
   * @return the container that the lender reports; fails within bounded time if the lender refuses,
   *     fails, or does not answer
   */
  public CompletionStage<ContainerSummary> flush(
      int groupSize, String node, List<RegionImage> images) {
    PeerRequest.Flush order = new PeerRequest.Flush(lease.id(), groupSize, node, images);
    return announce().thenCompose(held -> flush(order, MOST_FLUSH_QUESTIONS));
  }

  /**
   * Waits for the container that {@link #flush} ordered.
   *
   * @throws IOException as the order failed, or if interrupted
   */
  public ContainerSummary await(CompletionStage<ContainerSummary> ordered) throws IOException {
    CompletableFuture<ContainerSummary> container = ordered.toCompletableFuture();
    try {
      waits.awaitEnd(container);
      return container.get();
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + this + " were written", e);
    }
  }

  /** Asks again while the lender still writes. */
  private CompletionStage<ContainerSummary> flush(PeerRequest.Flush order, int questions) {
    return peers
        .ask(lease.lender(), order, PeerReply.Flushing.class)
        .thenCompose(
            reply -> {
              if (reply instanceof PeerReply.Written written) {
                requireOrdered(written.container(), order);
                return CompletableFuture.completedFuture(written.container());
              } else if (reply instanceof PeerReply.StillWriting && questions > 1) {
                return flush(order, questions - 1);
              } else if (reply instanceof PeerReply.StillWriting) {
                throw new IllegalStateException(
                    lease.lender() + " writes for longer than the borrower waits");
              }
              throw new IllegalArgumentException("no answer to an order to flush is " + reply);
            });
  }

  /** The container's name follows from the lender and the lease; nothing else is read at NODE. */
  private void requireOrdered(ContainerSummary container, PeerRequest.Flush order) {
    String file = HolderId.parse(lease.lender()).container(order.lease());
    if (!container.file().equals(file)
        || !container.ranks().equals(List.of(order.lease().rank()))) {
      throw new IllegalArgumentException(
          "%s wrote '%s' for ranks %s, which is not %s"
              .formatted(lease.lender(), container.file(), container.ranks(), file));
    }
  }

  /**
   * Reports to the lender that these chunks have a copy at NODE, so that it evicts them first.
   * Called after the manifest at NODE is published.
   */
  public void flushed() {
    List<Integer> positions = IntStream.range(0, chunks()).boxed().toList();
    PeerRequest flushed = new PeerRequest.Flushed(lease.id(), positions);
    peers
        .ask(lease.lender(), flushed, PeerReply.Done.class)
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) { // the lender keeps the chunks a little longer than it must
                LOG.debug("{} did not receive that {} is at NODE", lease.lender(), lease.id());
              }
            });
  }

  @Override
  public String toString() {
    return chunks() + " chunks at " + lease.lender();
  }
}
