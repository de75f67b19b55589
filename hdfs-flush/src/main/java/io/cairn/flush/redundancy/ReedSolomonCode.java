package io.cairn.flush.redundancy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Several parities, by the Reed–Solomon code of a Cauchy matrix over bytes. Survives the loss of
 * any pieces, as many as there are parities, and of no more: any {@link #data()} pieces determine
 * the others.
 *
 * <p>Each piece is a sum of multiples of those. It is the code of Hadoop, whose coder is not used:
 * a process may have no Hadoop, and the coder looks up each byte in a table.
 */
public final class ReedSolomonCode implements RedundancyScheme {
  static final String NAME = "rs";

  private final int data;
  private final int parities;

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

  /** Each piece is a sum over the data, so the factors solve one equation per piece of data. */
  private byte[] factors(Choice choice) {
    int[][] equations = new int[data][data + 1];
    for (int of = 0; of < data; of++) {
      for (int i = 0; i < data; i++) {
        equations[of][i] = coefficient(choice.present().get(i), of);
      }
      equations[of][data] = coefficient(choice.wanted(), of);
    }
    return FieldEquations.solve(equations);
  }

  /** The factor of a piece of data in the sum that a piece is. Part of the format. */
  private int coefficient(int piece, int of) {
    if (piece < data) {
      return piece == of ? 1 : 0;
    }
    return FieldEquations.inverse(piece ^ of);
  }
}
