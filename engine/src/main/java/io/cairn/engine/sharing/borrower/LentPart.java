package io.cairn.engine.sharing.borrower;

import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.RegionImage;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.SharingWire;
import io.cairn.engine.sharing.peer.FlushAnswer;
import io.cairn.engine.sharing.peer.FlushOrder;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.engine.sharing.peer.PeerCall;
import io.cairn.engine.sharing.peer.Peers;
import java.util.List;
import java.util.Optional;
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
    byte[] filled = SharingWire.encode(new LeaseRequest.Filled(borrowed.id(), chunks));
    return peers
        .ask(borrowed.lender(), PeerCall.LEASE, filled)
        .thenAccept(bytes -> requireHeld(bytes, chunks.size()))
        .whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                borrowed.held().complete(null);
              } else {
                borrowed.held().completeExceptionally(failure);
              }
            });
  }

  private void requireHeld(byte[] bytes, int chunks) {
    LeaseAnswer answer = SharingWire.decodeAnswer(bytes);
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
    FlushOrder order = new FlushOrder(borrowed.id(), groupSize, node, images);
    byte[] encoded = order.encode();
    return announce().thenCompose(held -> flush(order, encoded, MOST_FLUSH_QUESTIONS));
  }

  /** Asks again while the lender says that it writes. */
  private CompletionStage<ContainerSummary> flush(FlushOrder order, byte[] encoded, int questions) {
    HolderId lender = HolderId.parse(borrowed.lender());
    return peers
        .ask(borrowed.lender(), PeerCall.FLUSH, encoded)
        .thenCompose(
            bytes -> {
              Optional<ContainerSummary> container =
                  FlushAnswer.decode(bytes, order, lender).container();
              if (container.isPresent()) {
                return CompletableFuture.completedFuture(container.get());
              } else if (questions == 1) {
                throw new IllegalStateException(lender + " writes longer than anybody waits");
              }
              return flush(order, encoded, questions - 1);
            });
  }

  /**
   * Tells the lender that these chunks have a copy at NODE that the whole group has, so that they
   * are the first to give way.
   */
  public void flushed() {
    List<Integer> positions = IntStream.range(0, chunks()).boxed().toList();
    byte[] flushed = SharingWire.encode(new LeaseRequest.ReleaseSome(borrowed.id(), positions));
    peers
        .ask(borrowed.lender(), PeerCall.FLUSHED, flushed)
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
