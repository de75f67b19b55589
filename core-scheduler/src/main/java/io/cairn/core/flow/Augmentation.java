package io.cairn.core.flow;

import java.util.Arrays;

/**
 * Raises a transport's flow to its maximum and finds the minimum cut: shortest augmenting paths,
 * all of a length at once (Dinic). {@link Layers} count from where units can still go, so that no
 * path is tried that ended nowhere from the start. O(senders × receivers) per length, few lengths
 * in practice; keeps its arrays; one thread.
 */
final class Augmentation {
  private final Residual residual = new Residual();
  private final Layers layers = new Layers();
  private int[] senderNext = new int[0];
  private int[] receiverNext = new int[0];

  /**
   * Ships what can be shipped. Afterwards {@link #cutSender} and {@link #cutReceiver} describe the
   * cut, unless the transport is complete.
   */
  void toMaximum(Transport t) {
    t.fillHosts();
    if (t.complete()) {
      return;
    }
    if (senderNext.length < t.senders) {
      senderNext = new int[t.senders];
    }
    if (receiverNext.length < t.receivers) {
      receiverNext = new int[t.receivers];
    }
    residual.read(t);
    while (!t.complete() && layers.reachExcess(t, residual)) {
      Arrays.fill(senderNext, 0, t.senders, 0);
      Arrays.fill(receiverNext, 0, t.receivers, 0);
      for (int i = 0; i < t.senders; i++) {
        double units = t.excessOf(i);
        if (units > 0 && layers.ofSender[i] != Layers.NONE) {
          t.excess[i] -= fromSender(t, i, units, layers.ofSender[i]);
        }
      }
    }
  }

  /** Whether the sender lies on the senders' side of the cut. */
  boolean cutSender(int i) {
    return layers.ofSender[i] == Layers.NONE;
  }

  /** Whether the receiver lies on the senders' side of the cut: its spare is used up. */
  boolean cutReceiver(int j) {
    return layers.isFar(j);
  }

  /** Ships up to {@code units} from a sender of a layer; how many. */
  private double fromSender(Transport t, int i, double units, int layer) {
    double wanted = units;
    double host = Math.min(wanted, t.hostRoom(i));
    t.toHost[i] += host;
    wanted -= host;
    int words = residual.receiverWords;
    long from = -1L << senderNext[i];
    for (int word = senderNext[i] >>> 6; word < words && wanted > 0; word++) {
      long open = residual.room[i * words + word] & layers.receivers[(layer - 1) * words + word];
      for (open &= from; open != 0 && wanted > 0; open &= open - 1) {
        int j = (word << 6) + Long.numberOfTrailingZeros(open);
        senderNext[i] = j;
        int at = i * t.receivers + j;
        double sent = intoReceiver(t, j, Math.min(wanted, t.room(i, at)), layer - 1);
        if (sent > 0) {
          t.flow[at] += sent;
          wanted -= sent;
          residual.update(t, i, j);
        }
      }
      from = -1L;
    }
    if (wanted > 0) {
      senderNext[i] = words << 6;
    }
    return units - wanted;
  }

  /** Takes up to {@code units} into a receiver of a layer, moving others' flow; how many. */
  private double intoReceiver(Transport t, int j, double units, int layer) {
    double wanted = units;
    double kept = Math.min(wanted, t.leftOf(j));
    t.left[j] -= kept;
    wanted -= kept;
    int words = residual.senderWords;
    long from = -1L << receiverNext[j];
    for (int word = receiverNext[j] >>> 6; word < words && wanted > 0; word++) {
      long open = residual.holds[j * words + word] & layers.senders[(layer - 1) * words + word];
      for (open &= from; open != 0 && wanted > 0; open &= open - 1) {
        int i = (word << 6) + Long.numberOfTrailingZeros(open);
        receiverNext[j] = i;
        int at = i * t.receivers + j;
        double moved = fromSender(t, i, Math.min(wanted, t.taken(i, at)), layer - 1);
        if (moved > 0) {
          t.flow[at] -= moved;
          wanted -= moved;
          residual.update(t, i, j);
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
