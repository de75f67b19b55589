package io.cairn.cache.memory.cuda;

import io.cairn.ReadyAfter;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceResident;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The application's work that threads of the host wait for later. An end that nobody asks for any
 * more is seen when further work is named. Thread-safe.
 */
final class NamedWork {
  private final Queue<End> unseen = new ConcurrentLinkedQueue<>();

  /** The end of work that was named. */
  CopyEvent of(CudaContext context, ApplicationWork work) {
    unseen.removeIf(End::isDone); // which gives their events back
    End end = new End(context, work);
    unseen.add(end);
    return end;
  }

  /** The single orders that memory of the application names. */
  static Set<ReadyAfter> orders(List<DeviceResident> sources) {
    Set<ReadyAfter> orders = new LinkedHashSet<>();
    sources.forEach(source -> orders.addAll(parts(source.region().after())));
    return orders;
  }

  /** The single orders of which an order consists. */
  static List<ReadyAfter> parts(ReadyAfter after) {
    return after instanceof ReadyAfter.All all
        ? all.parts().stream().flatMap(part -> parts(part).stream()).toList()
        : List.of(after);
  }

  private record End(CudaContext context, ApplicationWork work) implements CopyEvent {
    /** A GPU that does not answer ends it, and whoever waits learns that. */
    @Override
    public boolean isDone() {
      try {
        return work.isDone();
      } catch (CudaException e) {
        return true;
      }
    }

    @Override
    public void await() throws CudaException, InterruptedException {
      context.awaitApplication(work);
    }

    @Override
    public void awaitLanding() throws CudaException {
      context.awaitApplicationSurely(work);
    }

    @Override
    public int checksum(int chunk) {
      throw new IllegalStateException("work of the application has no checksum");
    }
  }
}
