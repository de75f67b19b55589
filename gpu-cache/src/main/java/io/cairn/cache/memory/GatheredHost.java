package io.cairn.cache.memory;

import java.util.List;
import java.util.Objects;

/**
 * Spans of host memory that follow each other without gaps. A copy finds its first span in O(log
 * spans), and each further one at once.
 */
final class GatheredHost implements HostMemory {
  private final List<HostMemory> spans;
  private final SpanIndex index;

  /** Spans of at least one byte each. */
  GatheredHost(List<HostMemory> spans) {
    this.spans = List.copyOf(spans);
    this.index = new SpanIndex(spans);
  }

  @Override
  public long bytes() {
    return index.bytes();
  }

  @Override
  public void copyTo(long offset, NativeSpan target, int targetOffset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes());
    int span = index.at(offset);
    for (int done = 0; done < length; span++) {
      HostMemory memory = spans.get(span);
      long from = offset + done - index.start(span);
      int part = (int) Math.min(length - done, memory.bytes() - from);
      memory.copyTo(from, target, targetOffset + done, part);
      done += part;
    }
  }

  @Override
  public void copyFrom(long offset, NativeSpan source, int sourceOffset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes());
    int span = index.at(offset);
    for (int done = 0; done < length; span++) {
      HostMemory memory = spans.get(span);
      long to = offset + done - index.start(span);
      int part = (int) Math.min(length - done, memory.bytes() - to);
      memory.copyFrom(to, source, sourceOffset + done, part);
      done += part;
    }
  }

  @Override
  public List<? extends CaptureSource> spans() {
    return spans;
  }

  @Override
  public String toString() {
    return bytes() + " bytes in " + spans.size() + " spans";
  }
}
