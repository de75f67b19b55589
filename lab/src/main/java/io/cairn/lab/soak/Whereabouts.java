package io.cairn.lab.soak;

import io.cairn.lab.soak.SoakEvent.Executor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a group's ranks train, by their last events; reads each line once. Not thread-safe. */
final class Whereabouts {
  private final SoakLog log;
  private final List<@Nullable Executor> executors = new ArrayList<>();
  private long read;

  Whereabouts(SoakLog log, int ranks) {
    this.log = log;
    for (int rank = 0; rank < ranks; rank++) {
      executors.add(null);
    }
  }

  /** The rank's executor, unless the rank is between two attempts. */
  Optional<Executor> of(int rank) {
    SoakLog.Part part = log.after(read);
    read = part.end();
    for (SoakEvent event : part.events()) {
      if (event.what().isEntry()) {
        executors.set(event.rank(), event.executor());
      }
    }
    return Optional.ofNullable(executors.get(rank)).filter(one -> isAlive(one.pid()));
  }

  static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }
}
