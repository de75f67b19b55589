package io.cairn.cache.memory;

import java.io.IOException;
import java.util.function.Function;

/**
 * A batch with gathered sources of a device, which an engine copied piece by piece: the checksum of
 * a chunk is that of its pieces. Thread-safe.
 */
public final class GatheredCopy implements CopyEvent {
  private final CopyBatch pieces;
  private final CopyEvent copy;

  /** Per chunk the number of its first piece, and at the end the number of all pieces. */
  private final int[] first;

  private GatheredCopy(CopyBatch pieces, CopyEvent copy, int[] first) {
    this.pieces = pieces;
    this.copy = copy;
    this.first = first;
  }

  /**
   * Starts the copies of a batch on an engine that copies contiguous sources alone. Costs nothing
   * if no source is gathered.
   *
   * @param engine copies a batch without {@link GatheredSource}
   */
  public static CopyEvent start(CopyBatch batch, Function<CopyBatch, CopyEvent> engine) {
    if (!isGathered(batch)) {
      return engine.apply(batch);
    }
    int[] first = new int[batch.chunks() + 1];
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      first[chunk + 1] = first[chunk] + count(batch, chunk);
    }
    CopyBatch pieces = new CopyBatch(first[batch.chunks()]);
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      addPieces(batch, chunk, pieces);
    }
    return new GatheredCopy(pieces, engine.apply(pieces), first);
  }

  private static boolean isGathered(CopyBatch batch) {
    for (int run = 0; run < batch.runs(); run++) {
      if (batch.run(run).source() instanceof GatheredSource) {
        return true;
      }
    }
    return false;
  }

  private static int count(CopyBatch batch, int chunk) {
    if (!(batch.source(chunk) instanceof GatheredSource gathered)) {
      return 1;
    }
    int[] count = new int[1];
    gathered.pieces(
        batch.sourceOffset(chunk),
        batch.target(chunk).bytes(),
        (source, offset, start, bytes) -> count[0]++);
    return count[0];
  }

  private static void addPieces(CopyBatch batch, int chunk, CopyBatch pieces) {
    DeviceAddress target = batch.target(chunk);
    if (batch.source(chunk) instanceof GatheredSource gathered) {
      gathered.pieces(
          batch.sourceOffset(chunk),
          target.bytes(),
          (source, offset, start, bytes) -> pieces.add(source, offset, target.slice(start, bytes)));
    } else {
      pieces.add(batch.source(chunk), batch.sourceOffset(chunk), target);
    }
  }

  @Override
  public boolean isDone() {
    return copy.isDone();
  }

  @Override
  public boolean isSourceFree() {
    return copy.isSourceFree();
  }

  @Override
  public void freeSources() {
    copy.freeSources();
  }

  @Override
  public void await() throws IOException, InterruptedException {
    copy.await();
  }

  @Override
  public void awaitLanding() throws IOException {
    copy.awaitLanding();
  }

  @Override
  public int checksum(int chunk) {
    int sum = copy.checksum(first[chunk]);
    for (int piece = first[chunk] + 1; piece < first[chunk + 1]; piece++) {
      sum = Crc32cSum.of(sum, copy.checksum(piece), pieces.target(piece).bytes());
    }
    return sum;
  }
}
