package io.cairn.core.flow;

import java.util.Arrays;

/**
 * The layers of a breadth-first search backwards from the room that is left. Layer 1 holds the
 * receivers with spare and the senders whose hosts take more. Steps lead from senders to receivers
 * over links with room, and back over links with flow that can be moved elsewhere.
 *
 * <p>The search runs over sets of bits. O(senders × receivers ÷ 64) per layer; keeps its arrays;
 * one thread.
 */
final class MatrixLayers {
  /** The layer of a sender that was not reached. */
  static final int NONE = 0;

  /** The layer of each sender, from 1. */
  int[] ofSender = new int[0];

  /** Per layer, its senders; layer 0 is empty. */
  long[] senders = new long[0];

  /** Per layer, its receivers; layer 0 is empty. */
  long[] receivers = new long[0];

  private long[] farSenders = new long[0];
  private long[] farReceivers = new long[0];

  /**
   * Finds the layers up to the first with a sender that has units left to ship. Returns whether
   * there is one. If not, senders and receivers without a layer are on the senders' side of a
   * minimum cut.
   */
  boolean reachExcess(MatrixFlow m, MatrixResidual residual) {
    reserve(m, residual);
    boolean reached = firstLayer(m, residual);
    boolean more = true;
    for (int layer = 2; !reached && more; layer++) {
      clear(layer, residual);
      boolean moreReceivers = receiversBefore(residual, layer);
      boolean moreSenders = sendersBefore(residual, layer);
      more = moreReceivers || moreSenders;
      reached = moreSenders && excessIn(m, residual, layer);
    }
    return reached;
  }

  /** Whether the receiver has no layer. */
  boolean isFar(int receiver) {
    return (farReceivers[receiver >>> 6] & (1L << receiver)) != 0;
  }

  private void reserve(MatrixFlow m, MatrixResidual residual) {
    if (ofSender.length < m.senders) {
      ofSender = new int[m.senders];
    }
    if (farSenders.length < residual.senderWords) {
      farSenders = new long[residual.senderWords];
    }
    if (farReceivers.length < residual.receiverWords) {
      farReceivers = new long[residual.receiverWords];
    }
    clear(0, residual);
    clear(1, residual);
  }

  private void clear(int layer, MatrixResidual residual) {
    int senderEnd = (layer + 1) * residual.senderWords;
    int receiverEnd = (layer + 1) * residual.receiverWords;
    if (senders.length < senderEnd) {
      senders = Arrays.copyOf(senders, 2 * senderEnd);
    }
    if (receivers.length < receiverEnd) {
      receivers = Arrays.copyOf(receivers, 2 * receiverEnd);
    }
    Arrays.fill(senders, senderEnd - residual.senderWords, senderEnd, 0);
    Arrays.fill(receivers, receiverEnd - residual.receiverWords, receiverEnd, 0);
  }

  private boolean firstLayer(MatrixFlow m, MatrixResidual residual) {
    Arrays.fill(farSenders, 0, residual.senderWords, 0);
    Arrays.fill(farReceivers, 0, residual.receiverWords, 0);
    boolean reached = false;
    for (int i = 0; i < m.senders; i++) {
      boolean last = m.hostRoom(i) > 0;
      long[] set = last ? senders : farSenders;
      set[(last ? residual.senderWords : 0) + (i >>> 6)] |= 1L << i;
      ofSender[i] = last ? 1 : NONE;
      reached |= last && m.excessOf(i) > 0;
    }
    for (int j = 0; j < m.receivers; j++) {
      boolean last = m.leftOf(j) > 0;
      long[] set = last ? receivers : farReceivers;
      set[(last ? residual.receiverWords : 0) + (j >>> 6)] |= 1L << j;
    }
    return reached;
  }

  /** Far senders whose links have room to a receiver of the layer before. */
  private boolean sendersBefore(MatrixResidual residual, int layer) {
    int before = (layer - 1) * residual.receiverWords;
    boolean any = false;
    for (int word = 0; word < residual.senderWords; word++) {
      for (long far = farSenders[word]; far != 0; far &= far - 1) {
        int i = (word << 6) + Long.numberOfTrailingZeros(far);
        if (meets(residual, i * residual.receiverWords, before)) {
          ofSender[i] = layer;
          senders[layer * residual.senderWords + word] |= 1L << i;
          farSenders[word] &= ~(1L << i);
          any = true;
        }
      }
    }
    return any;
  }

  private boolean meets(MatrixResidual residual, int row, int before) {
    for (int word = 0; word < residual.receiverWords; word++) {
      if ((residual.room[row + word] & receivers[before + word]) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Far receivers that hold flow of a sender of the layer before. */
  private boolean receiversBefore(MatrixResidual residual, int layer) {
    int layerAt = layer * residual.receiverWords;
    boolean any = false;
    for (int word = 0; word < residual.senderWords; word++) {
      long set = senders[(layer - 1) * residual.senderWords + word];
      for (; set != 0; set &= set - 1) {
        int row = ((word << 6) + Long.numberOfTrailingZeros(set)) * residual.receiverWords;
        for (int w = 0; w < residual.receiverWords; w++) {
          long found = residual.sends[row + w] & farReceivers[w];
          receivers[layerAt + w] |= found;
          farReceivers[w] &= ~found;
          any |= found != 0;
        }
      }
    }
    return any;
  }

  private boolean excessIn(MatrixFlow m, MatrixResidual residual, int layer) {
    for (int word = 0; word < residual.senderWords; word++) {
      long set = senders[layer * residual.senderWords + word];
      for (; set != 0; set &= set - 1) {
        if (m.excessOf((word << 6) + Long.numberOfTrailingZeros(set)) > 0) {
          return true;
        }
      }
    }
    return false;
  }
}
