package io.cairn.core.flow;

/**
 * How many steps each sender and receiver of a transport is away from where units can still go: a
 * receiver with spare, or a sender whose host takes more, is one step away. Steps lead from senders
 * to receivers over links with room, and back over links whose flow can be taken elsewhere.
 *
 * <p>Breadth first, backwards; rows are scanned in order, since columns of a large matrix are far
 * apart in memory. O(senders × receivers); keeps its arrays; one thread.
 */
final class Layers {
  /** Of whoever is too far, or cannot get rid of anything. */
  static final int NONE = -1;

  int[] ofSender = new int[0];
  int[] ofReceiver = new int[0];

  private int[] farSenders = new int[0];
  private int[] farReceivers = new int[0];
  private int[] senders = new int[0];
  private int[] receivers = new int[0];
  private int[] nextSenders = new int[0];
  private int[] nextReceivers = new int[0];
  private int farSenderCount;
  private int farReceiverCount;
  private int senderCount;
  private int receiverCount;

  /**
   * Counts up to the first layer with a sender that has something left to ship. Whether there is
   * one; if not, whoever has no layer is on the senders' side of a minimum cut.
   */
  boolean reachExcess(Transport t) {
    reserve(t);
    boolean reached = firstLayer(t);
    for (int layer = 2; !reached && senderCount + receiverCount > 0; layer++) {
      int moreSenders = sendersBefore(t, layer);
      int moreReceivers = receiversBefore(t, layer);
      for (int k = 0; k < moreSenders && !reached; k++) {
        reached = t.excessOf(nextSenders[k]) > 0;
      }
      advance(moreSenders, moreReceivers);
    }
    return reached;
  }

  private void reserve(Transport t) {
    if (ofSender.length < t.senders) {
      ofSender = new int[t.senders];
      farSenders = new int[t.senders];
      senders = new int[t.senders];
      nextSenders = new int[t.senders];
    }
    if (ofReceiver.length < t.receivers) {
      ofReceiver = new int[t.receivers];
      farReceivers = new int[t.receivers];
      receivers = new int[t.receivers];
      nextReceivers = new int[t.receivers];
    }
  }

  private boolean firstLayer(Transport t) {
    boolean reached = false;
    senderCount = 0;
    farSenderCount = 0;
    for (int i = 0; i < t.senders; i++) {
      if (t.hostRoom(i) > 0) {
        ofSender[i] = 1;
        senders[senderCount++] = i;
        reached |= t.excessOf(i) > 0;
      } else {
        ofSender[i] = NONE;
        farSenders[farSenderCount++] = i;
      }
    }
    receiverCount = 0;
    farReceiverCount = 0;
    for (int j = 0; j < t.receivers; j++) {
      if (t.leftOf(j) > 0) {
        ofReceiver[j] = 1;
        receivers[receiverCount++] = j;
      } else {
        ofReceiver[j] = NONE;
        farReceivers[farReceiverCount++] = j;
      }
    }
    return reached;
  }

  /** Far senders whose links have room to a receiver of the layer before. */
  private int sendersBefore(Transport t, int layer) {
    int found = 0;
    int far = 0;
    for (int n = 0; n < farSenderCount; n++) {
      int i = farSenders[n];
      if (hasRoomToAny(t, i)) {
        ofSender[i] = layer;
        nextSenders[found++] = i;
      } else {
        farSenders[far++] = i;
      }
    }
    farSenderCount = far;
    return found;
  }

  private boolean hasRoomToAny(Transport t, int i) {
    int row = i * t.receivers;
    for (int k = 0; k < receiverCount; k++) {
      if (t.room(i, row + receivers[k]) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Far receivers that hold flow of a sender of the layer before. */
  private int receiversBefore(Transport t, int layer) {
    int found = 0;
    for (int k = 0; k < senderCount && farReceiverCount > 0; k++) {
      int row = senders[k] * t.receivers;
      int far = 0;
      for (int n = 0; n < farReceiverCount; n++) {
        int j = farReceivers[n];
        if (t.taken(senders[k], row + j) > 0) {
          ofReceiver[j] = layer;
          nextReceivers[found++] = j;
        } else {
          farReceivers[far++] = j;
        }
      }
      farReceiverCount = far;
    }
    return found;
  }

  private void advance(int moreSenders, int moreReceivers) {
    int[] swap = senders;
    senders = nextSenders;
    nextSenders = swap;
    senderCount = moreSenders;
    swap = receivers;
    receivers = nextReceivers;
    nextReceivers = swap;
    receiverCount = moreReceivers;
  }

  /** Whether a step from the sender leads to the receiver. */
  boolean toReceiver(int i, int j) {
    return ofReceiver[j] == ofSender[i] - 1; // no sender with a layer below 1 is asked
  }

  /** Whether a step from the receiver leads back to the sender. */
  boolean toSender(int j, int i) {
    return ofSender[i] == ofReceiver[j] - 1;
  }
}
