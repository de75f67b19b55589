package io.cairn.core.flow;

import java.util.Arrays;

/**
 * The links with room, by sender, and the links with flow, by sender and by receiver, as sets of
 * bits. A search so looks at 64 links at once. Keeps its arrays; one thread.
 */
final class MatrixResidual {
  int senderWords;
  int receiverWords;

  /** Per sender, the receivers to which its links have room. */
  long[] room = new long[0];

  /** Per sender, the receivers that hold flow of it. */
  long[] sends = new long[0];

  /** Per receiver, the senders of which it holds flow. */
  long[] holds = new long[0];

  /** Looks at every link. O(senders × receivers). */
  void read(MatrixFlow m) {
    receiverWords = (m.receivers + 63) >>> 6;
    senderWords = (m.senders + 63) >>> 6;
    int bySender = m.senders * receiverWords;
    int byReceiver = m.receivers * senderWords;
    if (room.length < bySender) {
      room = new long[bySender];
      sends = new long[bySender];
    }
    if (holds.length < byReceiver) {
      holds = new long[byReceiver];
    }
    Arrays.fill(holds, 0, byReceiver, 0);
    for (int i = 0; i < m.senders; i++) {
      for (int word = 0; word < receiverWords; word++) {
        readWord(m, i, word);
      }
    }
  }

  private void readWord(MatrixFlow m, int i, int word) {
    int row = i * m.receivers;
    int end = Math.min(m.receivers, (word + 1) << 6);
    long withRoom = 0;
    long withFlow = 0;
    for (int j = word << 6; j < end; j++) {
      if (m.room(i, row + j) > 0) {
        withRoom |= 1L << j;
      }
      if (m.taken(i, row + j) > 0) {
        withFlow |= 1L << j;
        holds[j * senderWords + (i >>> 6)] |= 1L << i;
      }
    }
    room[i * receiverWords + word] = withRoom;
    sends[i * receiverWords + word] = withFlow;
  }

  /** Looks at one link again. */
  void update(MatrixFlow m, int i, int j) {
    int at = i * m.receivers + j;
    int bySender = i * receiverWords + (j >>> 6);
    int byReceiver = j * senderWords + (i >>> 6);
    if (m.room(i, at) > 0) {
      room[bySender] |= 1L << j;
    } else {
      room[bySender] &= ~(1L << j);
    }
    if (m.taken(i, at) > 0) {
      sends[bySender] |= 1L << j;
      holds[byReceiver] |= 1L << i;
    } else {
      sends[bySender] &= ~(1L << j);
      holds[byReceiver] &= ~(1L << i);
    }
  }
}
