package io.cairn.flush.redundancy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * One parity, the exclusive or of all data. Survives the loss of any one piece, and of no two: each
 * piece is the exclusive or of all others. With one piece of data the parity is its copy.
 *
 * @param data pieces of data, at least 1
 */
public record XorCode(int data) implements RedundancyScheme {
  static final String NAME = "xor";

  /** Checks the number. */
  public XorCode {
    if (data < 1 || data > MOST_PIECES) {
      throw new IllegalArgumentException(data + " pieces of data: 1 to " + MOST_PIECES);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int parities() {
    return 1;
  }

  @Override
  public void compute(List<Optional<ByteBuffer>> pieces, int wanted, ByteBuffer into) {
    int bytes = Pieces.requireComputable(this, pieces, wanted, into);
    ByteBuffer sum = into.slice().limit(bytes).slice().order(ByteOrder.nativeOrder());
    boolean first = true;
    for (Optional<ByteBuffer> piece : pieces) {
      if (piece.isPresent()) {
        ByteBuffer next = piece.get().slice().order(ByteOrder.nativeOrder());
        if (first) {
          sum.duplicate().put(next);
        } else {
          add(next, sum);
        }
        first = false;
      }
    }
    into.position(into.position() + bytes);
  }

  /** Eight bytes at a time, in a loop that the compiler can turn into vector instructions. */
  private static void add(ByteBuffer next, ByteBuffer sum) {
    int whole = sum.limit() & -Long.BYTES;
    for (int at = 0; at < whole; at += Long.BYTES) {
      sum.putLong(at, sum.getLong(at) ^ next.getLong(at));
    }
    for (int at = whole; at < sum.limit(); at++) {
      sum.put(at, (byte) (sum.get(at) ^ next.get(at)));
    }
  }
}
