package io.cairn.core.sharing;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.flow.FlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.PlanAnswer.Part;
import io.cairn.core.sharing.PlanWindow.Reporter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Collects the ranks' remainders and the holders' spare, and answers each rank with its part of one
 * plan. Every report is answered. Without a plan the whole remainder goes to the host, and the
 * answer gives the reason. The lenders' books grant or reject the planned leases.
 *
 * <p>Holders register and ranks repeat their reports, so a new desk can replace a lost one. Not
 * thread-safe: one thread at a time.
 */
public final class PlanDesk {
  /*
   * Windows
   *
   * A coupled group is planned when all of its ranks have reported. Its window follows the delays
   * of its last reports, as Patience describes, so a group that is slow is still planned together.
   * Groups of one whose slots have one size are planned together, at the end of a window that the
   * first report opens. Reports that are missing at the end of a window are left out of its plan.
   * The number of windows is bounded: the oldest is closed for a new one, and its remainders go to
   * the host.
   *
   * Late and repeated reports
   *
   * A repeated report gets the same answer, unless a lender that it names lends nothing any more: a
   * borrower that lost a lender reports its chunks again. A report that comes after its group was
   * planned is planned like a group of one, with the spare of that moment. Reports of older epochs
   * are refused.
   *
   * Promises
   *
   * Planned slots count as used until the rank reports its next checkpoint, which replaces the one
   * before, or until its holder is gone. A rank that reports lost chunks of the same checkpoint
   * keeps its other slots.
   */

  /** Groups of which answers are remembered; no application runs so many at once. */
  private static final int MOST_GROUPS = 100_000;

  private final DeskTerms terms;
  private final HolderRegistry registry;
  private final Planner planner;
  private final Map<PlanWindow.Key, PlanWindow> windows = new LinkedHashMap<>();
  private final Map<GroupId, SharingGroup> groups = new LinkedHashMap<>(16, 0.75f, true);
  private final List<DeskAction> actions = new ArrayList<>();
  private int waiting;
  private long wakeAt = Long.MAX_VALUE;

  /**
   * A desk where nobody has registered.
   *
   * @param linking links these holders: device i of its topology is holder i. Called after holders
   *     have changed, when a window opens or a plan is made; if it throws, nothing is shared
   * @param scheduler plans in whole chunks
   */
  public PlanDesk(
      DeskTerms terms, Function<List<HolderSite>, Topology> linking, FlowScheduler scheduler) {
    this(terms, linking, scheduler, plan -> {});
  }

  /**
   * Likewise.
   *
   * @param made receives each plan before its answers are sent; it must not throw
   */
  public PlanDesk(
      DeskTerms terms,
      Function<List<HolderSite>, Topology> linking,
      FlowScheduler scheduler,
      Consumer<DeskPlan> made) {
    this.terms = terms;
    this.registry = new HolderRegistry(linking);
    this.planner = new Planner(registry, scheduler, made);
  }

  /**
   * Handles one event; returns the actions to carry out, in order.
   *
   * @param nowNanos of any clock that never goes back
   */
  public List<DeskAction> on(DeskEvent event, long nowNanos) {
    actions.clear();
    learn(event);
    closeEnded(nowNanos);
    if (event instanceof Report report) {
      report(report, nowNanos);
    }
    long next = windows.values().stream().mapToLong(w -> w.endsNanos).min().orElse(Long.MAX_VALUE);
    if (next != wakeAt && next != Long.MAX_VALUE) {
      actions.add(new DeskAction.WakeAt(next));
    }
    wakeAt = next;
    return List.copyOf(actions);
  }

  /** Records the event first, so that it counts for plans that are made at once. */
  private void learn(DeskEvent event) {
    if (event instanceof Report report) {
      if (isBeyond(report)) {
        return;
      }
      group(report.member().group(), report.epoch());
      int spare =
          report.remainderChunks() > 0
              ? 0
              : Math.min(DeskMessage.MOST_CHUNKS, report.spareChunks()); // a lease has no more
      registry.spare(report.holder(), spare, report.chunkBytes());
    } else if (event instanceof DeskMessage.Registered registered) {
      registry.register(registered.site());
    } else if (event instanceof DeskMessage.Spare spare) {
      registry.spare(spare.holder(), spare.chunks(), spare.chunkBytes());
    } else if (event instanceof DeskEvent.Gone gone) {
      registry.remove(gone.holder());
    } else if (!(event instanceof DeskEvent.Clock)) {
      throw new IllegalArgumentException("a desk does not handle " + event);
    }
  }

  /** Reports that wait for a plan. */
  public int waiting() {
    return waiting;
  }

  /** The window that was opened first. */
  private PlanWindow oldest() {
    return windows.values().iterator().next();
  }

  private void closeEnded(long nowNanos) {
    windows.values().stream()
        .filter(window -> window.endsNanos <= nowNanos)
        .toList()
        .forEach(this::close);
  }

  /** Whether the group cannot have begun an epoch with this number: somebody made it up. */
  private boolean isBeyond(Report report) {
    @Nullable SharingGroup known = groups.get(report.member().group());
    return report.epoch() - (known == null ? 0 : known.epoch) > CheckpointId.MOST_EPOCHS_AHEAD;
  }

  private void report(Report report, long nowNanos) {
    if (isBeyond(report)) {
      refuse(
          report,
          String.format(
              Locale.ROOT, "epoch %d is made up: no group begins so many epochs", report.epoch()));
      return;
    }
    SharingGroup group = group(report.member().group(), report.epoch());
    if (report.epoch() < group.epoch) {
      refuseOlder(report, group.epoch);
      return;
    }
    Optional<Part> before = group.answerTo(report).filter(registry::stands);
    if (before.isPresent()) {
      answer(report, before.get());
      return;
    }
    group.late(report, nowNanos);
    PlanWindow.Key key = group.window(report);
    @Nullable PlanWindow open = windows.get(key);
    if (open != null && !open.fits(report)) {
      answer(report, Planner.toHost(report, "another rank reported its group with another size"));
    } else {
      collect(report, open == null ? open(key, report, group, nowNanos) : open, group, nowNanos);
    }
  }

  private SharingGroup group(GroupId id, long epoch) {
    @Nullable SharingGroup known = groups.get(id);
    if (known != null && known.epoch >= epoch) {
      return known;
    }
    if (known != null) {
      known.waiting.forEach((reporter, window) -> fence(windows.get(window), reporter, epoch));
    }
    SharingGroup begun =
        new SharingGroup(epoch, known == null ? new Patience(terms.groupNanos()) : known.patience);
    groups.put(id, begun);
    if (groups.size() > MOST_GROUPS) {
      Iterator<SharingGroup> eldest = groups.values().iterator();
      if (eldest.next().waiting.isEmpty()) {
        eldest.remove();
      }
    }
    return begun;
  }

  /** Refuses an open report whose epoch is over. */
  private void fence(@Nullable PlanWindow window, Reporter reporter, long epoch) {
    @Nullable Report report = window == null ? null : window.reports.remove(reporter);
    if (window != null && report != null) {
      waiting--;
      refuseOlder(report, epoch);
      if (window.reports.isEmpty()) {
        windows.remove(window.key);
      }
    }
  }

  private void refuseOlder(Report report, long epoch) {
    refuse(
        report,
        String.format(
            Locale.ROOT, "epoch %d is over, the group is in epoch %d", report.epoch(), epoch));
  }

  private void refuse(Report report, String reason) {
    answer(report, new PlanAnswer.Refused(report.checkpoint(), report.member().rank(), reason));
  }

  private PlanWindow open(PlanWindow.Key key, Report first, SharingGroup group, long nowNanos) {
    if (windows.size() == terms.mostWindows()) {
      giveWay();
    }
    planner.prepare();
    long lasts = key.isCoupled() ? group.patience.nanos() : terms.windowNanos();
    PlanWindow window = new PlanWindow(key, first, nowNanos, nowNanos + lasts);
    windows.put(window.key, window);
    return window;
  }

  private void collect(Report report, PlanWindow window, SharingGroup group, long nowNanos) {
    if (window.reports.put(Reporter.of(report), report) == null) {
      group.waiting.put(Reporter.of(report), window.key);
      registry.forget(report);
      waiting++;
    }
    if (window.complete()) {
      group.patience.took(nowNanos - window.openedNanos);
      close(window);
    } else if (waiting > terms.mostReports()) {
      giveWay();
    }
  }

  private void giveWay() {
    PlanWindow window = oldest();
    finish(window, Planner.allToHost(window.reports.values(), "too many reports wait for plans"));
  }

  private void close(PlanWindow window) {
    finish(window, planner.plan(window.reports.values(), window.chunkBytes));
  }

  private void finish(PlanWindow window, List<Part> parts) {
    windows.remove(window.key);
    waiting -= window.reports.size();
    Iterator<Part> part = parts.iterator();
    for (Report report : window.reports.values()) {
      Part its = part.next();
      Optional.ofNullable(groups.get(report.member().group()))
          .filter(group -> group.epoch == report.epoch())
          .ifPresent(group -> group.answered(report, its, window));
      answer(report, its);
    }
  }

  private void answer(Report report, PlanAnswer answer) {
    actions.add(new DeskAction.Answer(report.holder(), answer));
  }
}
