package io.cairn.flush.restore;

import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.HeldBytes;
import io.cairn.core.model.OpenParts;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.RegionImage;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.threads.ChunkLanes;
import io.cairn.flush.restore.Landing.Landed;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Chains of the same copies, one for each thread that reads them. Not thread-safe: one thread uses
 * it, and starts the others.
 */
final class Lanes implements Closeable {
  private final List<CopyChain> chains = new ArrayList<>();

  /**
   * One chain.
   *
   * @param first is open; closed with this
   */
  Lanes(CopyChain first) {
    chains.add(first);
  }

  /**
   * Opens further chains, as many as the nearest source of the first has a use for. If this throws,
   * {@link #close} closes those that it opened.
   *
   * @param further makes a chain of the same copies
   * @param leastBytes that a chain is worth while for
   */
  void widen(Supplier<CopyChain> further, long leastBytes) throws IOException {
    CopyChain first = first();
    long bytes = first.images().stream().mapToLong(RegionImage::bytes).sum();
    long wanted = Math.min(first.lanes(), bytes / leastBytes);
    while (chains.size() < wanted) {
      CopyChain next = further.get();
      chains.add(next);
      if (!next.open() || !next.images().equals(first.images())) {
        chains.remove(next);
        next.close();
        return;
      }
    }
  }

  /** The first chain. */
  CopyChain first() {
    return chains.get(0);
  }

  /** The chain that read from the farthest copy. */
  CopyChain farthest() {
    return chains.stream().max(Comparator.comparingInt(CopyChain::farthestUsed)).orElseThrow();
  }

  /** A reader for each thread. */
  List<ChunkReader> readers() {
    return List.copyOf(chains);
  }

  /**
   * Reads and verifies every chunk, and lets it land. From then on the chains read the chunks that
   * have landed.
   */
  void verify(StagingBuffer staging, Optional<Landed> landed) throws IOException {
    ChunkNumbers numbers = new ChunkNumbers(first().images());
    ByteBuffer shared = staging.forChunksOf(first().images());
    ChunkLanes.run(
        chains.size(),
        numbers.all(),
        (lane, from, end) -> {
          CopyChain chain = chains.get(lane);
          int[] rest =
              landed.isPresent()
                  ? IntStream.range(from, end).toArray()
                  : unheld(numbers, from, end, chain);
          Supplier<ByteBuffer> buffer =
              () -> lane == 0 ? shared : ByteBuffer.allocateDirect(shared.capacity());
          ReadAhead ahead =
              landed
                  .map(one -> one.arrivals(rest, buffer))
                  .orElseGet(() -> new ReadAhead(buffer.get()));
          ahead.forEach(
              numbers,
              rest,
              chain,
              (number, reading, bytes) -> {
                reading.await();
                landed.ifPresent(one -> one.put(number, bytes));
              });
        });
    CopyHealth health = new CopyHealth();
    landed.ifPresent(one -> chains.forEach(chain -> chain.nearest(one.reader(), health)));
  }

  /** Lets devices verify what they hold; the numbers of the other chunks. */
  private static int[] unheld(ChunkNumbers numbers, int first, int end, CopyChain chain)
      throws IOException {
    int[] rest = new int[end - first];
    int count = 0;
    for (int number = first; number < end; number++) {
      Optional<? extends HeldBytes> held =
          chain.held(numbers.region(number), numbers.chunk(number));
      held.ifPresent(HeldBytes::close);
      if (held.isEmpty()) {
        rest[count++] = number;
      }
    }
    return Arrays.copyOf(rest, count);
  }

  @Override
  public void close() throws IOException {
    OpenParts.closeAll(chains);
  }
}
