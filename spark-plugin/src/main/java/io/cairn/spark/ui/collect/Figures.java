package io.cairn.spark.ui.collect;

import io.cairn.core.goodput.Cause;
import io.cairn.core.goodput.CauseTimes;
import io.cairn.engine.runtime.CacheUse;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.engine.runtime.RunningRank;
import io.cairn.spark.ui.model.CacheRow;
import io.cairn.spark.ui.model.PatternRow;
import io.cairn.spark.ui.model.PlanRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures of a process that no event carries. The thread that sends rounds reads them.
 *
 * @param cache the use of the device cache; empty without one, or if it is not known in time
 * @param goodputNanos time by cause; empty without ranks
 * @param patterns that this process decides
 * @param plan that the desk made since the last call
 * @param running the ranks that run here
 */
public record Figures(
    Supplier<Optional<CacheRow>> cache,
    Supplier<Map<String, Long>> goodputNanos,
    Supplier<List<PatternRow>> patterns,
    Supplier<Optional<PlanRow>> plan,
    Supplier<List<RunningRank>> running) {
  private static final Logger LOG = LoggerFactory.getLogger(Figures.class);
  private static final long PATIENCE_SECONDS = 1;

  /** The figures of a process with ranks. */
  public static Figures of(CairnEngine cairn) {
    return new Figures(
        () -> cache(cairn),
        () -> goodput(cairn.goodput().times()),
        () -> Patterns.of(cairn.config().cadence(), cairn.cadenceReports()),
        Optional::empty,
        cairn::running);
  }

  private static Optional<CacheRow> cache(CairnEngine cairn) {
    try {
      CacheUse use = cairn.cacheUse().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return Optional.of(
          new CacheRow(use.own(), use.leased(), use.free(), use.quarantined(), use.slotBytes()));
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("The use of the device cache is not known in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  private static Map<String, Long> goodput(CauseTimes times) {
    Map<String, Long> nanos = new LinkedHashMap<>();
    for (Cause cause : Cause.values()) {
      if (times.of(cause) > 0) {
        nanos.put(cause.label(), times.of(cause));
      }
    }
    return nanos;
  }
}
