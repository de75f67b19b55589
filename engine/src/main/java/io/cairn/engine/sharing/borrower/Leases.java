package io.cairn.engine.sharing.borrower;

import io.cairn.engine.coordination.Waits;
import io.cairn.engine.sharing.peer.Peers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** The leases of one checkpoint. Thread-safe. */
public final class Leases {
  private static final Leases NONE = new Leases(List.of());
  private final List<LeasedChunks> parts;
  private final int chunks;

  private Leases(List<LeasedChunks> parts) {
    this.parts = List.copyOf(parts);
    this.chunks = parts.stream().mapToInt(LeasedChunks::chunks).sum();
  }

  static Leases of(List<ActiveLease> active, Peers peers, Waits waits) {
    return new Leases(active.stream().map(one -> new LeasedChunks(one, peers, waits)).toList());
  }

  /** A checkpoint without leases. */
  public static Leases none() {
    return NONE;
  }

  /** By lender, in the order of chunks. */
  public List<LeasedChunks> parts() {
    return parts;
  }

  /** The same leases, with others instead of one that was lost. */
  public Leases with(LeasedChunks lost, Leases by) {
    return new Leases(
        parts.stream().flatMap(one -> one == lost ? by.parts.stream() : Stream.of(one)).toList());
  }

  /** Chunks that lie in leased slots. */
  public int chunks() {
    return chunks;
  }

  /**
   * Reports the filled slots to each lender. The checkpoint must be complete.
   *
   * @return completes when every lender holds its chunks; fails if one does not, and then the
   *     checkpoint is not at DEVICE
   */
  public CompletionStage<Void> announce() {
    return CompletableFuture.allOf(
        parts.stream()
            .map(one -> one.announce().toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new));
  }
}
