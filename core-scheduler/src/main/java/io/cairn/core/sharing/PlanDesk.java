package io.cairn.core.sharing;

import io.cairn.core.flow.FlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.model.GroupId;
import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.PlanAnswer.Part;
import io.cairn.core.sharing.PlanWindow.Reporter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Collects what ranks cannot keep and what holders have spare, and answers every rank with its part
 * of one plan. A group of several is planned when all of its ranks have reported, groups of one
 * together at the end of a window that the first of them opens; what is missing when a window ends
 * is planned without. A report of a checkpoint that is planned already is answered as before if it
 * comes again; one that is late is planned like a group of one, with what is spare by then. Reports
 * of older epochs are refused.
 *
 * <p>Every report is answered, whatever becomes of the plan: if there is none, or it cannot be
 * made, everything goes to the host and the answer says why. Where nothing remains to be sent
 * nothing is solved. What is planned to a receiver counts as used until the rank that it was
 * planned for reports its next checkpoint, which takes the place of the one before, or is gone; the
 * receiver's book has the last word.
 *
 * <p>A desk knows nothing that is not said again: a new one in place of a lost one needs the
 * holders to register and the ranks to repeat what was not answered.
 *
 * <p>Reports of groups of one are planned together if their slots have one size, and with a group
 * of several never. Bounded: the oldest window gives way to one too many. One thread at a time.
 */
public final class PlanDesk {
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
   * @param linking what links these holders: device i of its topology is holder i. Asked when
   *     holders have changed and a window opens, or a plan is made; may throw, and then nothing is
   *     shared
   * @param scheduler plans in whole chunks
   */
  public PlanDesk(
      DeskTerms terms, Function<List<HolderSite>, Topology> linking, FlowScheduler scheduler) {
    this.terms = terms;
    this.registry = new HolderRegistry(linking);
    this.planner = new Planner(registry, scheduler);
  }

  /**
   * Takes one event; returns what is to be done, in order.
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

  /** What an event says about the world counts for the plans that end with it, too. */
  private void learn(DeskEvent event) {
    if (event instanceof Report report) {
      group(report.member().group(), report.epoch());
      int spare = report.remainderChunks() > 0 ? 0 : report.spareChunks();
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

  /** The one that was opened first. */
  private PlanWindow oldest() {
    return windows.values().iterator().next();
  }

  private void closeEnded(long nowNanos) {
    windows.values().stream()
        .filter(window -> window.endsNanos <= nowNanos)
        .toList()
        .forEach(this::close);
  }

  private void report(Report report, long nowNanos) {
    SharingGroup group = group(report.member().group(), report.epoch());
    if (report.epoch() < group.epoch) {
      refuse(report, group.epoch);
      return;
    }
    Optional<Part> before = group.answerTo(report);
    if (before.isPresent()) {
      answer(report, before.get());
      return;
    }
    PlanWindow.Key key = group.window(report);
    @Nullable PlanWindow open = windows.get(key);
    if (open != null && !open.fits(report)) {
      answer(report, Planner.toHost(report, "its group was reported with another size before"));
    } else {
      collect(report, open == null ? open(key, report, nowNanos) : open, group);
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
    SharingGroup begun = new SharingGroup(epoch);
    groups.put(id, begun);
    if (groups.size() > MOST_GROUPS) {
      Iterator<SharingGroup> eldest = groups.values().iterator();
      if (eldest.next().waiting.isEmpty()) {
        eldest.remove();
      }
    }
    return begun;
  }

  /** A report that waits, and whose epoch is over. */
  private void fence(@Nullable PlanWindow window, Reporter reporter, long epoch) {
    @Nullable Report report = window == null ? null : window.reports.remove(reporter);
    if (window != null && report != null) {
      waiting--;
      refuse(report, epoch);
      if (window.reports.isEmpty()) {
        windows.remove(window.key);
      }
    }
  }

  private void refuse(Report report, long epoch) {
    String reason = "epoch %d is over, the group is in epoch %d".formatted(report.epoch(), epoch);
    answer(report, new PlanAnswer.Refused(report.checkpoint(), report.member().rank(), reason));
  }

  private PlanWindow open(PlanWindow.Key key, Report first, long nowNanos) {
    if (windows.size() == terms.mostWindows()) {
      giveWay();
    }
    planner.prepare();
    long lasts = key.isCoupled() ? terms.groupNanos() : terms.windowNanos();
    PlanWindow window = new PlanWindow(key, first, nowNanos + lasts);
    windows.put(window.key, window);
    return window;
  }

  private void collect(Report report, PlanWindow window, SharingGroup group) {
    if (window.reports.put(Reporter.of(report), report) == null) {
      group.waiting.put(Reporter.of(report), window.key);
      waiting++;
    }
    if (window.complete()) {
      close(window);
    } else if (waiting > terms.mostReports()) {
      giveWay();
    }
  }

  private void giveWay() {
    PlanWindow window = oldest();
    finish(window, Planner.allToHost(window.reports.values(), "too much waits for plans at once"));
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
          .ifPresent(group -> group.answered(report, its));
      answer(report, its);
    }
  }

  private void answer(Report report, PlanAnswer answer) {
    actions.add(new DeskAction.Answer(report.holder(), answer));
  }
}
