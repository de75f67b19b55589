package io.cairn.engine.events;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.session.Outcome;
import io.cairn.core.session.RestoreReport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The observers of a process. What one of them throws does not reach checkpointing. Thread-safe.
 */
public final class Observers implements CairnObserver {
  private static final Logger LOG = LoggerFactory.getLogger(Observers.class);

  private final List<CairnObserver> observers = new CopyOnWriteArrayList<>();

  /** Adds one; it is told of everything from now on. */
  public void add(CairnObserver observer) {
    observers.add(observer);
  }

  /** Removes one; a call that is under way may still reach it. */
  public void remove(CairnObserver observer) {
    observers.remove(observer);
  }

  @Override
  public void settled(CheckpointId id, Member member, Level level, Outcome outcome) {
    each(observer -> observer.settled(id, member, level, outcome));
  }

  @Override
  public void stale(CheckpointId id, Member member) {
    each(observer -> observer.stale(id, member));
  }

  @Override
  public void withdrawn(CheckpointId id, Member member, String reason) {
    each(observer -> observer.withdrawn(id, member, reason));
  }

  @Override
  public void restored(Member member, RestoreReport report) {
    each(observer -> observer.restored(member, report));
  }

  private void each(Consumer<CairnObserver> call) {
    for (CairnObserver observer : observers) {
      try {
        call.accept(observer);
      } catch (RuntimeException e) {
        LOG.error("An observer of checkpoints failed", e);
      }
    }
  }
}
