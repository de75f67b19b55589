package io.cairn.cache.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Spans that follow each other without gaps, and of which at least one lies on a device. A device
 * that reaches all of them copies piece by piece.
 */
public final class GatheredSource implements CaptureSource {
  private final List<CaptureSource> spans;

  /** The spans, with neighbours in host memory as one. */
  private final List<CaptureSource> parts;

  private final SpanIndex index;

  /** Receives the pieces of a copy. */
  @FunctionalInterface
  public interface Pieces<E extends Exception> {
    /**
     * One contiguous piece.
     *
     * @param source no gathered one of a device
     * @param sourceOffset in {@code source}, in bytes
     * @param start of the piece within the copy, in bytes
     * @param bytes 1 or more
     */
    void piece(CaptureSource source, long sourceOffset, long start, long bytes) throws E;
  }

  /** Spans of at least one byte each. */
  GatheredSource(List<CaptureSource> spans) {
    this.spans = List.copyOf(spans);
    this.parts = parts(spans);
    this.index = new SpanIndex(parts);
  }

  private static List<CaptureSource> parts(List<CaptureSource> spans) {
    List<CaptureSource> parts = new ArrayList<>();
    List<HostMemory> neighbours = new ArrayList<>();
    for (CaptureSource span : spans) {
      if (span instanceof HostMemory host) {
        neighbours.add(host);
      } else {
        addHost(neighbours, parts);
        parts.add(span);
      }
    }
    addHost(neighbours, parts);
    return List.copyOf(parts);
  }

  private static void addHost(List<HostMemory> neighbours, List<CaptureSource> parts) {
    if (!neighbours.isEmpty()) {
      parts.add(neighbours.size() == 1 ? neighbours.get(0) : new GatheredHost(neighbours));
      neighbours.clear();
    }
  }

  /**
   * Gives the pieces of a copy, in their order.
   *
   * @param offset of the copy, in bytes
   * @throws IndexOutOfBoundsException if it is not within all spans
   */
  public <E extends Exception> void pieces(long offset, long length, Pieces<E> each) throws E {
    Objects.checkFromIndexSize(offset, length, bytes());
    int part = index.at(offset);
    for (long done = 0; done < length; part++) {
      CaptureSource source = parts.get(part);
      long from = offset + done - index.start(part);
      long bytes = Math.min(length - done, source.bytes() - from);
      each.piece(source, from, done, bytes);
      done += bytes;
    }
  }

  @Override
  public long bytes() {
    return index.bytes();
  }

  @Override
  public List<? extends CaptureSource> spans() {
    return spans;
  }

  /** Refuses: the first span on a device names itself. */
  @Override
  public HostMemory requireHost(CopyEngine engine) {
    spans.forEach(span -> span.requireHost(engine));
    throw new AssertionError(this);
  }

  @Override
  public String toString() {
    return bytes() + " bytes in " + spans.size() + " spans, some on a device";
  }
}
