package io.cairn.engine.session;

import io.cairn.Member;
import io.cairn.core.cadence.Learned;
import io.cairn.core.goodput.Goodput;
import io.cairn.core.goodput.GoodputEntries;
import io.cairn.core.goodput.GoodputRecord;
import io.cairn.core.goodput.LearnedEntries;
import io.cairn.core.model.Fingerprint;
import io.cairn.engine.config.ResumePolicy;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.promotion.LifeSign;
import io.cairn.engine.session.Timing.Iteration;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Attributes the time of one session to its causes. The training thread owns it. */
final class Attribution {
  private static final Logger LOG = LoggerFactory.getLogger(Attribution.class);

  /** The most that an account at NODE is behind; a write there takes microseconds. */
  private static final long SIGN_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final SessionContext context;
  private final Member member;
  private final Goodput goodput;
  private final CountedWaits waits;
  private final boolean afresh;
  private Optional<LifeSign> sign = Optional.empty();
  private boolean sought;

  /** The newest account; null before the first. */
  private @Nullable GoodputRecord kept;

  private long signedNanos;

  /** The rank is about to join. */
  Attribution(SessionContext context, Member member) {
    this.context = context;
    this.member = member;
    this.afresh = context.start().policy() == ResumePolicy.NEVER;
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

  /** Looks for the account of an earlier process on this node, once. */
  void findSign() {
    if (sought) {
      return;
    }
    sought = true;
    try {
      sign = context.lifeSigns().open(member);
    } catch (IOException e) {
      LOG.warn("The account of {} at NODE cannot be read; its time is unknown in part", member, e);
    }
    if (!afresh) {
      sign.flatMap(LifeSign::found).ifPresent(goodput::found);
    }
  }

  /** Writes the account to the node, seldom enough to cost nothing. */
  private void sign(GoodputRecord record, boolean now) {
    long nanos = now();
    if (sign.isEmpty() || (!now && nanos - signedNanos < SIGN_EVERY_NANOS)) {
      return;
    }
    signedNanos = nanos;
    try {
      sign.get().write(record);
    } catch (IOException e) {
      LOG.warn("The account of {} is not kept at NODE any more", member, e);
      closeSign();
    }
  }

  private void closeSign() {
    try {
      if (sign.isPresent()) {
        sign.get().close();
      }
    } catch (IOException e) {
      LOG.warn("The account of {} at NODE was not closed", member, e);
    }
    sign = Optional.empty();
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
    sign(keep(), true);
  }

  void startedAfresh() {
    goodput.startedAfresh(now());
  }

  /** An iteration ended when the application asked for its checkpoint. */
  void computed(Iteration ended, long iteration) {
    boolean flushing = ended.nanos() > 0 && !ended.flushing().isEmpty();
    goodput.computed(ended.endNanos(), iteration, flushing);
  }

  void waited(long nanos) {
    goodput.waited(nanos);
  }

  /**
   * The training continues after a checkpoint. The account of its manifest goes to the node: a new
   * one would stop the training longer than all else here.
   *
   * @param inEpoch false if a later attempt goes on, whose account must stay
   */
  void released(long nowNanos, boolean inEpoch) {
    goodput.stalled(nowNanos);
    GoodputRecord record = kept;
    if (inEpoch && record != null) {
      sign(record, false);
    }
  }

  /** The rank did not join. */
  void abandon() {
    closeSign();
  }

  void ending() {
    goodput.ended();
  }

  void closing() {
    goodput.closing(now());
  }

  void closed(boolean inEpoch) {
    goodput.stalled(now());
    GoodputRecord record = keep();
    if (inEpoch) {
      sign(record, true);
    }
    closeSign();
    context.goodput().leave(member);
  }

  private GoodputRecord keep() {
    GoodputRecord record = context.goodput().keep(member, goodput);
    kept = record;
    return record;
  }

  /**
   * Makes entries of a manifest: the account up to now, and the measurements of the cadence. Any
   * thread may use the result.
   */
  Supplier<Map<String, String>> entries(Optional<Learned> learned) {
    GoodputRecord record = keep();
    return () -> {
      Map<String, String> entries = new TreeMap<>(GoodputEntries.of(record));
      learned.map(LearnedEntries::of).ifPresent(entries::putAll);
      return entries;
    };
  }

  /** Counts the time that a rank waits for answers. The training thread owns it. */
  private static final class CountedWaits implements Waits {
    private final Waits waits;
    private final LongSupplier nanoTime;
    private long nanos;

    CountedWaits(Waits waits, LongSupplier nanoTime) {
      this.waits = waits;
      this.nanoTime = nanoTime;
    }

    /** The time of all waits for answers since the last reset. */
    long nanos() {
      return nanos;
    }

    void reset() {
      nanos = 0;
    }

    @Override
    public void sleep(long millis) throws InterruptedException {
      waits.sleep(millis);
    }

    @Override
    public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) throws InterruptedException {
      long begin = nanoTime.getAsLong();
      try {
        return waits.poll(queue, millis);
      } finally {
        nanos += nanoTime.getAsLong() - begin;
      }
    }

    @Override
    public boolean await(CompletableFuture<?> awaited, long timeNanos) throws InterruptedException {
      return waits.await(awaited, timeNanos);
    }

    @Override
    public <T> CompletableFuture<T> failAfter(CompletableFuture<T> awaited, long timeNanos) {
      return waits.failAfter(awaited, timeNanos);
    }

    @Override
    public <T> CompletableFuture<T> completeAfter(
        CompletableFuture<T> awaited, T value, long timeNanos) {
      return waits.completeAfter(awaited, value, timeNanos);
    }
  }
}
