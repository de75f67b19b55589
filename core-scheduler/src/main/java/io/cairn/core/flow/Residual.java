package io.cairn.core.flow;

import java.util.Arrays;

/**
 * Which links of a transport have room, and which carry flow that can be taken back, as sets of
 * bits: by sender, and the latter by receiver as well. A search that looks at 64 links at once is
 * limited by what it finds, not by what is there. Keeps its arrays; one thread.
 */
final class Residual {
  int senderWords;
  int receiverWords;

  /** Per sender, the receivers to which its links have room. */
  long[] room = new long[0];

  /** Per sender, the receivers that hold flow of it. */
  long[] sends = new long[0];

  /** Per receiver, the senders of which it holds flow. */
  long[] holds = new long[0];

  /** Looks at every link. O(senders × receivers). */
  void read(Transport t) {
    receiverWords = (t.receivers + 63) >>> 6;
    senderWords = (t.senders + 63) >>> 6;
    int bySender = t.senders * receiverWords;
    int byReceiver = t.receivers * senderWords;
    if (room.length < bySender) {
      room = new long[bySender];
      sends = new long[bySender];
    }
    if (holds.length < byReceiver) {
      holds = new long[byReceiver];
    }
    Arrays.fill(holds, 0, byReceiver, 0);
    for (int i = 0; i < t.senders; i++) {
      for (int word = 0; word < receiverWords; word++) {
        readWord(t, i, word);
      }
    }
  }

  private void readWord(Transport t, int i, int word) {
    int row = i * t.receivers;
    int end = Math.min(t.receivers, (word + 1) << 6);
    long withRoom = 0;
    long withFlow = 0;
    for (int j = word << 6; j < end; j++) {
      if (t.room(i, row + j) > 0) {
        withRoom |= 1L << j;
      }
      if (t.taken(i, row + j) > 0) {
        withFlow |= 1L << j;
        holds[j * senderWords + (i >>> 6)] |= 1L << i;
      }
    }
    room[i * receiverWords + word] = withRoom;
    sends[i * receiverWords + word] = withFlow;
  }

  /** Looks at one link again. */
  void update(Transport t, int i, int j) {
    int at = i * t.receivers + j;
    int bySender = i * receiverWords + (j >>> 6);
    int byReceiver = j * senderWords + (i >>> 6);
    if (t.room(i, at) > 0) {
      room[bySender] |= 1L << j;
    } else {
      room[bySender] &= ~(1L << j);
    }
    if (t.taken(i, at) > 0) {
      sends[bySender] |= 1L << j;
      holds[byReceiver] |= 1L << i;
    } else {
      sends[bySender] &= ~(1L << j);
      holds[byReceiver] &= ~(1L << i);
    }
  }
}
