package io.cairn.flush.format;

import io.cairn.core.model.ChunkReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A reader whose reads end when they are awaited; counts how many are under way. */
public final class LateReader implements ChunkReader {
  private final ChunkReader below;
  private int underWay;
  private int mostUnderWay;

  /** Reads the chunks of another reader. */
  public LateReader(ChunkReader below) {
    this.below = below;
  }

  /** Reads that were started and not awaited, at most. */
  public int mostUnderWay() {
    return mostUnderWay;
  }

  /** Reads that were started and not awaited. */
  public int underWay() {
    return underWay;
  }

  @Override
  public void read(int region, int chunk, ByteBuffer into) throws IOException {
    below.read(region, chunk, into);
  }

  @Override
  public Reading start(int region, int chunk, ByteBuffer into) {
    underWay++;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    return new Reading() {
      private boolean ended;

      @Override
      public boolean isDone() {
        return ended;
      }

      @Override
      public void await() throws IOException {
        if (!ended) {
          ended = true;
          underWay--;
          below.read(region, chunk, into);
        }
      }
    };
  }
}
