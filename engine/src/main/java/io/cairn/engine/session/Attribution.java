package io.cairn.engine.session;

import io.cairn.core.cadence.Learned;
import io.cairn.core.goodput.Goodput;
import io.cairn.core.goodput.GoodputEntries;
import io.cairn.core.goodput.GoodputRecord;
import io.cairn.core.goodput.LearnedEntries;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.Member;
import io.cairn.core.session.ResumePolicy;
import io.cairn.engine.coordination.Waits;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Attributes the time of one session to its causes. The training thread owns it. */
final class Attribution {
  private final SessionContext context;
  private final Member member;
  private final Goodput goodput;
  private final CountedWaits waits;

  /** The rank is about to join. */
  Attribution(SessionContext context, Member member) {
    this.context = context;
    this.member = member;
    boolean afresh = context.start().policy() == ResumePolicy.NEVER;
    this.goodput = context.goodput().arrive(member, afresh);
    this.waits = new CountedWaits(context.waits(), context.nanoTime());
  }

  /** By which the rank waits for its group. */
  Waits waits() {
    return waits;
  }

  private long now() {
    return context.nanoTime().getAsLong();
  }

  void joined(long epoch) {
    goodput.joined(now(), epoch);
  }

  void restoring() {
    goodput.restoring(now());
    waits.reset();
  }

  /**
   * The rank goes on.
   *
   * @param iteration that was restored, or -1
   * @param written the entries of that checkpoint
   */
  void resumed(long iteration, Fingerprint written) {
    goodput.resumed(now(), waits.nanos(), iteration, GoodputEntries.in(written));
    keep();
  }

  void startedAfresh() {
    goodput.startedAfresh(now());
  }

  /** An iteration ended when the application asked for its checkpoint. */
  void computed(IterationTimer.Iteration ended, long iteration) {
    boolean flushing = ended.nanos() > 0 && !ended.flushing().isEmpty();
    goodput.computed(ended.endNanos(), iteration, flushing);
  }

  void waited(long nanos) {
    goodput.waited(nanos);
  }

  /** The training continues after a checkpoint. */
  void released(long nowNanos) {
    goodput.stalled(nowNanos);
    keep();
  }

  void ending() {
    goodput.ended();
  }

  void closing() {
    goodput.closing(now());
  }

  void closed() {
    goodput.stalled(now());
    keep();
    context.goodput().leave(member);
  }

  private GoodputRecord keep() {
    return context.goodput().keep(member, goodput);
  }

  /** The account up to now, and the measurements of the cadence, as entries of a manifest. */
  Map<String, String> entries(Optional<Learned> learned) {
    Map<String, String> entries = new TreeMap<>(GoodputEntries.of(keep()));
    learned.map(LearnedEntries::of).ifPresent(entries::putAll);
    return entries;
  }
}
