package io.cairn.engine.runtime;

import io.cairn.CairnEvent;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.RestoreReport;
import io.cairn.engine.promotion.NodeRepair;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.restore.RestorePlanner;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repairs copies at NODE after restores that met bad ones, one at a time. As many wait as the stage
 * holds. Thread-safe.
 */
final class RestoreRepairs implements Consumer<CairnEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(RestoreRepairs.class);

  private final NodeRepair repair;
  private final Function<Member, RestorePlanner> others;
  private final Function<Member, OptionalLong> epochs;
  private final Consumer<? super CairnEvent> events;
  private final Stage stage;

  /**
   * Observes restores.
   *
   * @param others all copies of a rank but those of this node
   * @param epochs the present epoch of a rank of this process; empty if it left
   * @param events receives repairs that find no room
   * @param stage runs them, one at a time; closed with this
   */
  RestoreRepairs(
      NodeRepair repair,
      Function<Member, RestorePlanner> others,
      Function<Member, OptionalLong> epochs,
      Consumer<? super CairnEvent> events,
      Stage stage) {
    this.repair = repair;
    this.others = others;
    this.epochs = epochs;
    this.events = events;
    this.stage = stage;
  }

  @Override
  public void accept(CairnEvent event) {
    if (event instanceof CairnEvent.Restored restored && metBadCopy(restored.report())) {
      epochs
          .apply(restored.member())
          .ifPresent(epoch -> offer(restored.member(), restored.report(), epoch));
    }
  }

  /** A copy that was set aside and not replaced makes a restore pass over NODE in silence. */
  private boolean metBadCopy(RestoreReport report) {
    Level repaired = repair.level();
    return report.level().compareTo(repaired) > 0
        || report.attempts().stream()
            .anyMatch(
                tried ->
                    tried.level() == repaired && tried.id().equals(report.id()) && !tried.used());
  }

  private void offer(Member member, RestoreReport report, long epoch) {
    Runnable task = () -> repair.run(report.id(), member, epoch, others.apply(member));
    if (!stage.offer(report.bytes(), task)) {
      events.accept(
          new CairnEvent.NotRepaired(
              report.id(), member, repair.level(), "more repairs wait than queueSize allows"));
    }
  }

  /** Waits for the repairs that run or wait, for at most {@code patience}; drops the rest. */
  void end(Duration patience) {
    int left = stage.close(patience).size();
    if (left > 0) {
      LOG.warn("{} bad copies at NODE were not repaired; the next restore tries again", left);
    }
  }
}
