package io.cairn.cache.memory.cuda;

/**
 * The application's work that a copy waits for. It may take any time, so that no patience counts
 * before it has ended. Thread-safe.
 */
final class ApplicationWork implements CudaContext.Work {
  private final CudaContext context;
  private final EventPool events;
  private final long event;
  private boolean ended;

  /**
   * Work that was started.
   *
   * @param event recorded behind it, and behind nothing of Cairn's; goes back to the pool
   */
  ApplicationWork(CudaContext context, EventPool events, long event) {
    this.context = context;
    this.events = events;
    this.event = event;
  }

  @Override
  public synchronized boolean isDone() throws CudaException {
    if (!ended) {
      try (CurrentContext calls = context.enter()) {
        ended = calls.hasEnded(event);
      }
      if (ended) {
        events.give(event);
      }
    }
    return ended;
  }
}
