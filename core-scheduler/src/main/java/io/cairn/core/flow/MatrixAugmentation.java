package io.cairn.core.flow;

import java.util.Arrays;

/**
 * Raises a flow to its maximum and finds the minimum cut: shortest augmenting paths, all of a
 * length at once (Dinic). {@link MatrixLayers} count from where units can still go, so that no path
 * is tried that ended nowhere from the start. O(senders × receivers) per length, few lengths in
 * practice; keeps its arrays; one thread.
 */
final class MatrixAugmentation {
  private final MatrixResidual residual = new MatrixResidual();
  private final MatrixLayers layers = new MatrixLayers();
  private int[] senderNext = new int[0];
  private int[] receiverNext = new int[0];

  /**
   * Raises the flow to its maximum. Afterwards {@link #cutSender} and {@link #cutReceiver} describe
   * the cut, unless the flow is complete.
   */
  void toMaximum(MatrixFlow m) {
    m.fillHosts();
    if (m.complete()) {
      return;
    }
    if (senderNext.length < m.senders) {
      senderNext = new int[m.senders];
    }
    if (receiverNext.length < m.receivers) {
      receiverNext = new int[m.receivers];
    }
    residual.read(m);
    while (!m.complete() && layers.reachExcess(m, residual)) {
      Arrays.fill(senderNext, 0, m.senders, 0);
      Arrays.fill(receiverNext, 0, m.receivers, 0);
      for (int i = 0; i < m.senders; i++) {
        double units = m.excessOf(i);
        if (units > 0 && layers.ofSender[i] != MatrixLayers.NONE) {
          m.excess[i] -= fromSender(m, i, units, layers.ofSender[i]);
        }
      }
    }
  }

  /** Whether the sender lies on the senders' side of the cut. */
  boolean cutSender(int i) {
    return layers.ofSender[i] == MatrixLayers.NONE;
  }

  /** Whether the receiver lies on the senders' side of the cut: its spare is used up. */
  boolean cutReceiver(int j) {
    return layers.isFar(j);
  }

  /** Ships up to {@code units} from a sender of a layer; returns the units shipped. */
  private double fromSender(MatrixFlow m, int i, double units, int layer) {
    double wanted = units;
    double host = Math.min(wanted, m.hostRoom(i));
    m.toHost[i] += host;
    wanted -= host;
    int words = residual.receiverWords;
    long from = -1L << senderNext[i];
    for (int word = senderNext[i] >>> 6; word < words && wanted > 0; word++) {
      long open = residual.room[i * words + word] & layers.receivers[(layer - 1) * words + word];
      for (open &= from; open != 0 && wanted > 0; open &= open - 1) {
        int j = (word << 6) + Long.numberOfTrailingZeros(open);
        senderNext[i] = j;
        int at = i * m.receivers + j;
        double sent = intoReceiver(m, j, Math.min(wanted, m.room(i, at)), layer - 1);
        if (sent > 0) {
          m.flow[at] += sent;
          wanted -= sent;
          residual.update(m, i, j);
        }
      }
      from = -1L;
    }
    if (wanted > 0) {
      senderNext[i] = words << 6;
    }
    return units - wanted;
  }

  /** Takes up to {@code units} into a receiver of a layer, moving other flow; returns the units. */
  private double intoReceiver(MatrixFlow m, int j, double units, int layer) {
    double wanted = units;
    double kept = Math.min(wanted, m.leftOf(j));
    m.left[j] -= kept;
    wanted -= kept;
    int words = residual.senderWords;
    long from = -1L << receiverNext[j];
    for (int word = receiverNext[j] >>> 6; word < words && wanted > 0; word++) {
      long open = residual.holds[j * words + word] & layers.senders[(layer - 1) * words + word];
      for (open &= from; open != 0 && wanted > 0; open &= open - 1) {
        int i = (word << 6) + Long.numberOfTrailingZeros(open);
        receiverNext[j] = i;
        int at = i * m.receivers + j;
        double moved = fromSender(m, i, Math.min(wanted, m.taken(i, at)), layer - 1);
        if (moved > 0) {
          m.flow[at] -= moved;
          wanted -= moved;
          residual.update(m, i, j);
        }
      }
      from = -1L;
    }
    if (wanted > 0) {
      receiverNext[j] = words << 6;
    }
    return units - wanted;
  }
}
