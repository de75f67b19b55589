package io.cairn.cache.memory.cuda;

/**
 * The application's work that a copy waits for. It may take any time, so that no patience counts
 * before it has ended. Thread-safe.
 */
final class ApplicationWork implements CudaContext.Work {
  private final CudaContext context;
  private final long event;
  private final Runnable after;
  private boolean ended;

  /**
   * Work that was started.
   *
   * @param event recorded behind it, and behind nothing of Cairn's
   * @param after runs once it has ended
   */
  ApplicationWork(CudaContext context, long event, Runnable after) {
    this.context = context;
    this.event = event;
    this.after = after;
  }

  /**
   * Likewise.
   *
   * @param event goes back to the pool
   */
  ApplicationWork(CudaContext context, EventPool events, long event) {
    this(context, event, () -> events.give(event));
  }

  @Override
  public synchronized boolean isDone() throws CudaException {
    if (!ended) {
      try (CurrentContext calls = context.enter()) {
        ended = calls.hasEnded(event);
      }
      if (ended) {
        after.run();
      }
    }
    return ended;
  }
}
