package io.cairn.flush.redundancy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;

/**
 * Several parities, by the Reed–Solomon code of Hadoop over bytes. Survives the loss of any pieces,
 * as many as there are parities, and of no more: any {@link #data()} pieces determine the others.
 *
 * <p>Each piece is a sum of multiples of those. Hadoop's coder determines the factors; the sums are
 * computed here, since the coder looks up each byte in a table.
 */
public final class ReedSolomonCode implements RedundancyScheme {
  static final String NAME = "rs";

  private final int data;
  private final int parities;

  /** It computes parities, too: a parity is a piece that is absent. */
  private final RawErasureDecoder coder;

  private final FieldSum sum;
  private final Map<Choice, byte[]> factors = new HashMap<>();

  /** The pieces that are present, and the wanted one. */
  private record Choice(List<Integer> present, int wanted) {}

  /**
   * A code.
   *
   * @param data pieces of data, at least 1
   * @param parities at least 1
   */
  public ReedSolomonCode(int data, int parities) {
    if (data < 1 || data > MOST_PIECES || parities < 1 || parities > MOST_PIECES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d pieces of data and %d parities: each 1 to %d",
              data,
              parities,
              MOST_PIECES));
    }
    this.data = data;
    this.parities = parities;
    this.coder =
        new RSRawErasureCoderFactory().createDecoder(new ErasureCoderOptions(data, parities));
    this.sum = new FieldSum(data);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int data() {
    return data;
  }

  @Override
  public int parities() {
    return parities;
  }

  @Override
  public void compute(List<Optional<ByteBuffer>> pieces, int wanted, ByteBuffer into) {
    Pieces.requireComputable(this, pieces, wanted, into);
    List<Integer> present = new ArrayList<>();
    List<ByteBuffer> from = new ArrayList<>();
    for (int index = 0; index < pieces.size(); index++) {
      Optional<ByteBuffer> piece = pieces.get(index);
      if (piece.isPresent()) {
        present.add(index);
        from.add(piece.get());
      }
    }
    if (factors.size() > MOST_PIECES) {
      factors.clear(); // one caller needs one choice, so this is a bound and no policy
    }
    Choice choice = new Choice(List.copyOf(present), wanted);
    sum.compute(from, factors.computeIfAbsent(choice, this::factors), into);
  }

  /** Computes from pieces of which each has a one where all others have zeros. */
  private byte[] factors(Choice choice) {
    byte[][] ones = new byte[data + parities][]; // null where a piece is absent
    for (int piece = 0; piece < data; piece++) {
      byte[] one = new byte[data];
      one[piece] = 1;
      ones[choice.present().get(piece)] = one;
    }
    byte[] found = new byte[data];
    try {
      coder.decode(ones, new int[] {choice.wanted()}, new byte[][] {found});
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it only computes
    }
    return found;
  }
}
