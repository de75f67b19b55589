package io.cairn.lab.soak;

import io.cairn.Level;
import io.cairn.lab.soak.SoakEvent.Executor;
import io.cairn.lab.soak.SoakEvent.What;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether PEER protects a group, by its log: a checkpoint of its present epoch is sealed there, and
 * no machine was lost since. Reads each line once. Not thread-safe.
 */
final class Protection {
  private final SoakLog log;
  private final Map<Integer, Executor> executors = new TreeMap<>();
  private long read;
  private long epoch;
  private boolean complete;

  Protection(SoakLog log) {
    this.log = log;
  }

  /** The executors of all ranks while PEER protects the group; empty otherwise. */
  List<Executor> executors() {
    SoakLog.Part part = log.after(read);
    read = part.end();
    part.events().forEach(this::take);
    return complete ? List.copyOf(executors.values()) : List.of();
  }

  private void take(SoakEvent event) {
    if (event.what().isBlow()) {
      // its ranks that are left may still report seals, of an epoch without a future
      begin(epoch + 1);
    } else if (event.what().isEntry() && event.epoch() >= epoch) {
      if (event.epoch() > epoch) {
        begin(event.epoch());
      }
      executors.put(event.rank(), event.executor());
    } else if (event.what() == What.SEALED && event.epoch() == epoch) {
      complete |= event.level().equals(Level.PEER.name());
    }
  }

  private void begin(long next) {
    epoch = next;
    complete = false;
    executors.clear();
  }
}
