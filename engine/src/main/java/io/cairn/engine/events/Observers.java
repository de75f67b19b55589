package io.cairn.engine.events;

import io.cairn.CairnEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The observers of a process. Each receives every {@link CairnEvent} that is published after it was
 * added, on the thread that publishes: the training thread, or a thread of the process. An observer
 * must return soon; what it throws, errors included, is logged and does not reach checkpointing.
 * Thread-safe.
 */
public final class Observers {
  private static final Logger LOG = LoggerFactory.getLogger(Observers.class);

  private final List<Consumer<? super CairnEvent>> observers = new CopyOnWriteArrayList<>();

  /** Adds an observer, which must be thread-safe. */
  public void add(Consumer<? super CairnEvent> observer) {
    observers.add(observer);
  }

  /** Removes an observer; a call that is under way may still reach it. */
  public void remove(Consumer<? super CairnEvent> observer) {
    observers.remove(observer);
  }

  /** Passes an event to every observer, in the order in which they were added. */
  public void publish(CairnEvent event) {
    for (Consumer<? super CairnEvent> observer : observers) {
      try {
        observer.accept(event);
      } catch (RuntimeException | Error e) {
        LOG.error("An observer failed at {}", event, e);
      }
    }
  }
}
