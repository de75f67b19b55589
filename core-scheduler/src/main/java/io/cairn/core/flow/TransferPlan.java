package io.cairn.core.flow;

import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The transfers of a checkpoint's remainders and their times. All transfers start together. A
 * transfer takes its bytes over the rate of its link; transfers that share a capacity last until
 * all of them have passed it. Immutable, thread-safe.
 */
public final class TransferPlan implements FlowOutcome {
  private final int[] from;
  private final int[] to;
  private final double[] bytes;
  private final double[] senderSeconds;
  private final double blockingSeconds;
  private final @Nullable CutCertificate certificate;

  TransferPlan(
      int[] from,
      int[] to,
      double[] bytes,
      double[] senderSeconds,
      @Nullable CutCertificate certificate) {
    this.from = from;
    this.to = to;
    this.bytes = bytes;
    this.senderSeconds = senderSeconds;
    this.certificate = certificate;
    double longest = 0;
    for (double seconds : senderSeconds) {
      longest = Math.max(longest, seconds);
    }
    this.blockingSeconds = longest;
  }

  /** The time until the last sender is done. */
  public double blockingSeconds() {
    return blockingSeconds;
  }

  /** The time until this device has sent all; 0 for one that sends nothing. */
  public double senderSeconds(int device) {
    return senderSeconds[device];
  }

  /** The transfers, at most one from a device to another, ordered by sender. A view. */
  public List<Transfer> transfers() {
    return new AbstractList<>() {
      @Override
      public Transfer get(int index) {
        return new Transfer(from[index], to[index], bytes[index]);
      }

      @Override
      public int size() {
        return from.length;
      }
    };
  }

  /** The proof that no plan is faster; empty from schedulers that compute none. */
  public Optional<CutCertificate> certificate() {
    return Optional.ofNullable(certificate);
  }
}
