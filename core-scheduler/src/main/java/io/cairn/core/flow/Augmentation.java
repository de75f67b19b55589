package io.cairn.core.flow;

import java.util.Arrays;

/**
 * Raises a transport's flow to its maximum and finds the minimum cut: shortest augmenting paths in
 * layers, all of a length at once (Dinic). Rows are scanned in order, since columns of a large
 * matrix are far apart in memory. O(senders × receivers) per length, few lengths in practice; keeps
 * its arrays; one thread.
 */
final class Augmentation {
  private static final int UNSEEN = -1;

  private int[] senderLayer = new int[0];
  private int[] receiverLayer = new int[0];
  private int[] senderNext = new int[0];
  private int[] receiverNext = new int[0];
  private int[] unseenSenders = new int[0];
  private int[] unseenReceivers = new int[0];
  private int[] frontier = new int[0];
  private int[] reached = new int[0];

  /**
   * Ships what can be shipped. Afterwards {@link #cutSender} and {@link #cutReceiver} describe the
   * cut, unless the transport is complete.
   */
  void toMaximum(Transport t) {
    reserve(t);
    t.fillHosts();
    while (!t.complete() && layers(t)) {
      Arrays.fill(senderNext, 0, t.senders, 0);
      Arrays.fill(receiverNext, 0, t.receivers, 0);
      for (int i = 0; i < t.senders; i++) {
        double units = t.excessOf(i);
        if (units > 0) {
          t.excess[i] -= fromSender(t, i, units);
        }
      }
    }
  }

  /** Whether the sender lies on the senders' side of the cut. */
  boolean cutSender(int i) {
    return senderLayer[i] != UNSEEN;
  }

  /** Whether the receiver lies on the senders' side of the cut: its spare is used up. */
  boolean cutReceiver(int j) {
    return receiverLayer[j] != UNSEEN;
  }

  private void reserve(Transport t) {
    if (senderLayer.length < t.senders) {
      senderLayer = new int[t.senders];
      senderNext = new int[t.senders];
      unseenSenders = new int[t.senders];
      frontier = new int[t.senders];
    }
    if (receiverLayer.length < t.receivers) {
      receiverLayer = new int[t.receivers];
      receiverNext = new int[t.receivers];
      unseenReceivers = new int[t.receivers];
      reached = new int[t.receivers];
    }
  }

  /** Whether somebody is reached who can take more: a receiver, or the host of a sender. */
  private boolean layers(Transport t) {
    Arrays.fill(receiverLayer, 0, t.receivers, UNSEEN);
    int unseenR = t.receivers;
    for (int j = 0; j < unseenR; j++) {
      unseenReceivers[j] = j;
    }
    int unseenS = 0;
    int active = 0;
    for (int i = 0; i < t.senders; i++) {
      boolean source = t.excessOf(i) > 0;
      senderLayer[i] = source ? 0 : UNSEEN;
      if (source) {
        frontier[active++] = i;
      } else {
        unseenSenders[unseenS++] = i;
      }
    }
    boolean found = false;
    for (int layer = 1; active > 0 && !found; layer += 2) {
      int before = unseenR;
      unseenR = reachReceivers(t, active, unseenR, layer);
      int fresh = before - unseenR;
      for (int k = 0; k < fresh && !found; k++) {
        found = t.leftOf(reached[k]) > 0;
      }
      if (found || fresh == 0) {
        return found;
      }
      before = unseenS;
      unseenS = reachSenders(t, fresh, unseenS, layer + 1);
      active = before - unseenS;
      for (int k = 0; k < active && !found; k++) {
        found = t.hostRoom(frontier[k]) > 0;
      }
    }
    return found;
  }

  private int reachReceivers(Transport t, int active, int unseen, int layer) {
    int fresh = 0;
    for (int k = 0; k < active && unseen > 0; k++) {
      int i = frontier[k];
      int row = i * t.receivers;
      int kept = 0;
      for (int n = 0; n < unseen; n++) {
        int j = unseenReceivers[n];
        if (t.room(i, row + j) > 0) {
          receiverLayer[j] = layer;
          reached[fresh++] = j;
        } else {
          unseenReceivers[kept++] = j;
        }
      }
      unseen = kept;
    }
    return unseen;
  }

  private int reachSenders(Transport t, int fresh, int unseen, int layer) {
    int active = 0;
    int kept = 0;
    for (int n = 0; n < unseen; n++) {
      int i = unseenSenders[n];
      if (sendsToAny(t, i, fresh)) {
        senderLayer[i] = layer;
        frontier[active++] = i;
      } else {
        unseenSenders[kept++] = i;
      }
    }
    return kept;
  }

  private boolean sendsToAny(Transport t, int i, int fresh) {
    int row = i * t.receivers;
    for (int k = 0; k < fresh; k++) {
      if (t.taken(i, row + reached[k]) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Ships up to {@code units} from a sender along the layers; how many. */
  private double fromSender(Transport t, int i, double units) {
    double wanted = units;
    double host = Math.min(wanted, t.hostRoom(i));
    t.toHost[i] += host;
    wanted -= host;
    int row = i * t.receivers;
    int layer = senderLayer[i] + 1;
    for (int j = senderNext[i]; j < t.receivers && wanted > 0; j++) {
      senderNext[i] = j;
      if (receiverLayer[j] == layer) {
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
    int layer = receiverLayer[j] + 1;
    for (int i = receiverNext[j]; i < t.senders && wanted > 0; i++) {
      receiverNext[j] = i;
      if (senderLayer[i] == layer) {
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
