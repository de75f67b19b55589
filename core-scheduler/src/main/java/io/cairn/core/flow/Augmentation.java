package io.cairn.core.flow;

import java.util.Arrays;

/**
 * Raises a transport's flow to its maximum and finds the minimum cut: shortest augmenting paths,
 * all of a length at once (Dinic). {@link Layers} count from where units can still go, so that no
 * path is tried that ended nowhere from the start. O(senders × receivers) per length, few lengths
 * in practice; keeps its arrays; one thread.
 */
final class Augmentation {
  private final Layers layers = new Layers();
  private int[] senderNext = new int[0];
  private int[] receiverNext = new int[0];

  /**
   * Ships what can be shipped. Afterwards {@link #cutSender} and {@link #cutReceiver} describe the
   * cut, unless the transport is complete.
   */
  void toMaximum(Transport t) {
    if (senderNext.length < t.senders) {
      senderNext = new int[t.senders];
    }
    if (receiverNext.length < t.receivers) {
      receiverNext = new int[t.receivers];
    }
    t.fillHosts();
    while (!t.complete() && layers.reachExcess(t)) {
      Arrays.fill(senderNext, 0, t.senders, 0);
      Arrays.fill(receiverNext, 0, t.receivers, 0);
      for (int i = 0; i < t.senders; i++) {
        double units = t.excessOf(i);
        if (units > 0 && layers.ofSender[i] != Layers.NONE) {
          t.excess[i] -= fromSender(t, i, units);
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
    return layers.ofReceiver[j] == Layers.NONE;
  }

  /** Ships up to {@code units} from a sender along the layers; how many. */
  private double fromSender(Transport t, int i, double units) {
    double wanted = units;
    double host = Math.min(wanted, t.hostRoom(i));
    t.toHost[i] += host;
    wanted -= host;
    int row = i * t.receivers;
    for (int j = senderNext[i]; j < t.receivers && wanted > 0; j++) {
      senderNext[i] = j;
      if (layers.toReceiver(i, j)) {
        double room = Math.min(wanted, t.room(i, row + j));
        if (room > 0) {
          double sent = intoReceiver(t, j, room);
          t.flow[row + j] += sent;
          wanted -= sent;
        }
      }
    }
    if (wanted > 0) {
      senderNext[i] = t.receivers;
    }
    return units - wanted;
  }

  /** Takes up to {@code units} into a receiver, making room by moving others' flow; how many. */
  private double intoReceiver(Transport t, int j, double units) {
    double wanted = units;
    double kept = Math.min(wanted, t.leftOf(j));
    t.left[j] -= kept;
    wanted -= kept;
    for (int i = receiverNext[j]; i < t.senders && wanted > 0; i++) {
      receiverNext[j] = i;
      if (layers.toSender(j, i)) {
        int at = i * t.receivers + j;
        double back = Math.min(wanted, t.taken(i, at));
        if (back > 0) {
          double moved = fromSender(t, i, back);
          t.flow[at] -= moved;
          wanted -= moved;
        }
      }
    }
    if (wanted > 0) {
      receiverNext[j] = t.senders;
    }
    return units - wanted;
  }
}
