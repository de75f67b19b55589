package io.cairn.cli;

import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The differences of one region of one rank in two checkpoints.
 *
 * @param bytesA length in the first checkpoint
 * @param bytesB length in the second one
 * @param equalChunks chunks of the first checkpoint whose bytes the second one has in their place
 * @param differentChunks those that it has not, those beyond its end included
 * @param unreadableChunks those that are damaged in one of them, and damaged ones of the second
 *     beyond the end of the first
 * @param firstDifference offset of the first byte that differs; null if none does
 * @param numbers null for a region that is not one of numbers
 */
record RegionDiff(
    int rank,
    String region,
    long bytesA,
    long bytesB,
    int equalChunks,
    int differentChunks,
    int unreadableChunks,
    @Nullable Long firstDifference,
    NumberDifferences.@Nullable Summary numbers) {

  /** Whether both regions are readable and the same. */
  boolean isEqual() {
    return bytesA == bytesB && differentChunks == 0 && unreadableChunks == 0;
  }

  /**
   * Compares two regions. Reads every chunk of both once, and holds one of each.
   *
   * @param element of both; empty if they are compared as bytes alone
   */
  static RegionDiff of(int rank, RegionSide a, RegionSide b, Optional<Element> element) {
    return new Comparison(a, b, element).run(rank);
  }

  /** One comparison. Chunks of both sides need not be equally long. */
  private static final class Comparison {
    /** How a chunk compares, the more important the later. */
    private enum Verdict {
      EQUAL,
      DIFFERENT,
      UNREADABLE
    }

    private final RegionSide a;
    private final RegionSide b;
    private final Optional<NumberDifferences> numbers;
    private final int elementBytes;
    private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    private @Nullable Long first;

    Comparison(RegionSide a, RegionSide b, Optional<Element> element) {
      this.a = a;
      this.b = b;
      this.numbers = element.map(NumberDifferences::new);
      this.elementBytes = element.map(Element::bytes).orElse(1);
    }

    RegionDiff run(int rank) {
      for (int chunk = 0; chunk < a.image().chunks(); chunk++) {
        counts.merge(chunk(chunk), 1, Integer::sum);
      }
      counts.merge(Verdict.UNREADABLE, b.loadFrom(a.image().bytes()), Integer::sum);
      return new RegionDiff(
          rank,
          a.image().name(),
          a.image().bytes(),
          b.image().bytes(),
          counts.getOrDefault(Verdict.EQUAL, 0),
          counts.getOrDefault(Verdict.DIFFERENT, 0),
          counts.getOrDefault(Verdict.UNREADABLE, 0),
          first,
          numbers.map(NumberDifferences::summary).orElse(null));
    }

    /** A chunk of the first side, in spans that lie in one chunk of either side. */
    private Verdict chunk(int chunk) {
      Verdict verdict = Verdict.EQUAL;
      long at = (long) chunk * a.image().chunkBytes();
      long end = a.chunkEnd(at);
      while (at < end && at < b.image().bytes()) {
        long to = Math.min(end, b.chunkEnd(at));
        Verdict span = span(at, to);
        verdict = span.compareTo(verdict) > 0 ? span : verdict;
        at = to;
      }
      if (at < end) {
        // load it all the same: the first side may be damaged here
        boolean readable = a.load(at);
        Verdict beyond = readable ? differs(at) : Verdict.UNREADABLE;
        verdict = beyond.compareTo(verdict) > 0 ? beyond : verdict;
      }
      return verdict;
    }

    private Verdict span(long from, long to) {
      boolean one = a.load(from);
      boolean other = b.load(from);
      if (!one || !other) {
        return Verdict.UNREADABLE;
      }
      ByteBuffer left = a.slice(from, to);
      ByteBuffer right = b.slice(from, to);
      numbers.ifPresent(each -> each.compare(left, right, from / elementBytes));
      int mismatch = left.mismatch(right);
      return mismatch < 0 ? Verdict.EQUAL : differs(from + mismatch);
    }

    private Verdict differs(long at) {
      first = first == null ? Long.valueOf(at) : first;
      return Verdict.DIFFERENT;
    }
  }
}
