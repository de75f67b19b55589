package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One call of a device, during which nothing is freed, and the opened spans that it uses. A span is
 * held until the copies of the call have ended. Not thread-safe.
 */
final class DeviceCall implements AutoCloseable {
  private final RunningCalls running;
  private final OpenedSpans opened;
  private List<OpenedSpans.Span> held = List.of();

  /** A call that {@code running} has begun. */
  DeviceCall(RunningCalls running, OpenedSpans opened) {
    this.running = running;
    this.opened = opened;
  }

  /** The driver's address of a part of an opened span, which is held now; 0 if there is none. */
  long resolve(DeviceAddress part) {
    OpenedSpans.Span span = opened.find(part);
    return span != null && hold(span) ? span.resolve(part) : 0;
  }

  private boolean hold(OpenedSpans.Span span) {
    if (held.isEmpty()) {
      held = new ArrayList<>(1);
    } else if (held.contains(span)) {
      return true;
    }
    return span.hold() && held.add(span);
  }

  /** The copies of this call; the spans are held until they have ended, and were asked about it. */
  CopyEvent until(CopyEvent copies) {
    if (held.isEmpty()) {
      return copies;
    }
    CopyEvent holding = new Holding(copies, held);
    held = List.of();
    holding.isDone(); // so that copies that have ended hold nothing
    return holding;
  }

  /** Ends the call. */
  @Override
  public void close() {
    held.forEach(OpenedSpans.Span::release);
    running.end();
  }

  private record Holding(CopyEvent copies, List<OpenedSpans.Span> held) implements CopyEvent {
    @Override
    public boolean isDone() {
      boolean done = copies.isDone();
      if (done) {
        release();
      }
      return done;
    }

    private void release() {
      synchronized (held) {
        held.forEach(OpenedSpans.Span::release);
        held.clear();
      }
    }

    @Override
    public boolean isSourceFree() {
      return copies.isSourceFree();
    }

    @Override
    public void freeSources() {
      copies.freeSources();
    }

    @Override
    public void await() throws IOException, InterruptedException {
      try {
        copies.await();
      } finally {
        isDone();
      }
    }

    @Override
    public void awaitLanding() throws IOException {
      try {
        copies.awaitLanding();
      } finally {
        isDone();
      }
    }

    @Override
    public int checksum(int chunk) {
      return copies.checksum(chunk);
    }
  }
}
