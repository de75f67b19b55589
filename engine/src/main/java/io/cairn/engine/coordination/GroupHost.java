package io.cairn.engine.coordination;

import io.cairn.GroupId;
import io.cairn.core.cadence.CadenceSearch;
import io.cairn.core.cadence.Learned;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.core.protocol.CoordinatorAction;
import io.cairn.core.protocol.CoordinatorEvent;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.GroupCoordinator;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.NodeSeal;
import io.cairn.flush.commit.GroupMemory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the actions of a group's coordinator: claims epochs and commits manifests in the
 * store, and sends messages to ranks. Thread-safe.
 */
public final class GroupHost {
  /*
   * Concurrency. One executor handles events one after the other, in order of arrival. A second
   * executor does the I/O of the store, so that a store that hangs delays no decision; that of one
   * group stays in order. A third runs long searches. No lock is held while any of them works.
   */
  private static final Logger LOG = LoggerFactory.getLogger(GroupHost.class);
  private static final int MAX_COMMITS_WAITING = 64;
  private static final long FIRST_LOOK_NANOS = Duration.ofMinutes(1).toNanos();

  /** Events after which messages are delivered, even if more events wait. */
  private static final int MOST_BEFORE_FLUSH = 64;

  /** Sends messages to ranks, in this process or in others. */
  @FunctionalInterface
  public interface Outbox {
    /** Sends, or drops the message if that incarnation is gone. Must not wait. */
    void send(int rank, String incarnation, CoordinatorMessage message);

    /** Delivers what was sent, at the latest: no other message follows at once. Must not wait. */
    default void flush() {}
  }

  private final GroupId group;
  private final HostContext context;
  private final KnownJoins joins = new KnownJoins();

  // used by one thread at a time, as the events are
  private GroupCoordinator coordinator;
  private int size;
  private boolean looks;
  private final EpochBegin begin;
  private final GroupAtStore store;
  private final GroupTasks storing;
  private final Outbox outbox;
  private final Queue<CoordinatorEvent> events = new ArrayDeque<>();
  private final AtomicInteger commitsWaiting = new AtomicInteger();

  /** The newest note for STORE that waits; null if none does. */
  private final AtomicReference<@Nullable NodeSeal> note = new AtomicReference<>();

  // guarded by the queue, as the queue itself
  private boolean running;
  private boolean empty;
  private boolean over;
  private long lastNanos;
  private Optional<Learned> learned = Optional.empty();

  /** A host for one group of {@code size} ranks. */
  public GroupHost(HostContext context, GroupId group, int size, Outbox outbox) {
    this.context = context;
    this.group = group;
    this.size = size;
    this.coordinator = new GroupCoordinator(group, size, context.cadence(), context.joinTimeout());
    this.storing = new GroupTasks(context.storing());
    EpochWatch epochs = new EpochWatch(context.store(), group);
    GroupMemory memory = new GroupMemory(context.store());
    this.begin =
        new EpochBegin(context, group, epochs, memory, this::on, task -> submit(storing, task));
    this.store = new GroupAtStore(context, storing, group, epochs, memory, this::on);
    this.outbox = outbox;
  }

  /** Queues an event; returns at once. */
  public void on(CoordinatorEvent event) {
    long now = context.nanoTime().getAsLong();
    synchronized (events) {
      events.add(event);
      lastNanos = now;
      if (running) {
        return;
      }
      running = true;
    }
    try {
      context.events().execute(this::drain);
    } catch (RejectedExecutionException e) {
      LOG.debug("{} arrived for {}, whose process has ended", event, group);
    }
  }

  /**
   * Whether this host may be forgotten: all ranks left, and STORE has their last checkpoint or
   * nothing was reported for {@code silentNanos}. Ranks that left may report flushes until then.
   */
  boolean isOver(long silentNanos) {
    long now = context.nanoTime().getAsLong();
    synchronized (events) {
      return !running && empty && storing.isIdle() && (over || now - lastNanos >= silentNanos);
    }
  }

  /** The measurements of the group's cadence when the last event was handled. */
  Optional<Learned> learned() {
    synchronized (events) {
      return learned;
    }
  }

  private void drain() {
    int handled = 0;
    for (CoordinatorEvent event = next(); event != null; event = next()) {
      handle(event);
      handled++;
      if (handled % MOST_BEFORE_FLUSH == 0) {
        outbox.flush();
      }
    }
    outbox.flush();
  }

  /** The next event; without one, the next to come starts another drain. */
  private @Nullable CoordinatorEvent next() {
    synchronized (events) {
      CoordinatorEvent event = events.poll();
      if (event == null) {
        running = false;
        empty = coordinator.isEmpty();
        over = coordinator.isOver();
        learned = coordinator.learned();
      }
      return event;
    }
  }

  private void handle(CoordinatorEvent event) {
    try {
      if (event instanceof MemberMessage.Join join) {
        resize(join);
      }
      if (event instanceof CoordinatorEvent.LookAtWaits) {
        looks = false;
      } else if (event instanceof MemberMessage.Held && size > 1 && !looks) {
        lookAfter(FIRST_LOOK_NANOS);
      }
      coordinator.on(event, context.nanoTime().getAsLong()).forEach(this::carryOut);
    } catch (RuntimeException | Error e) {
      // the next event is handled all the same: otherwise the ranks of the group would hang
      LOG.error("Coordinator of {} could not handle {}", group, event, e);
      if (event instanceof MemberMessage.Join join) {
        outbox.send(
            join.rank(), join.incarnation(), new CoordinatorMessage.Refused(group + ": " + e));
      }
    }
  }

  /**
   * A group that all ranks have left may come back with another number of ranks. A claim of an
   * epoch ends before: its answer does not say for which ranks it was. The new coordinator ignores
   * all other answers to the old one, which are of older epochs.
   */
  private void resize(MemberMessage.Join join) {
    if (joins.isFirst(join.incarnation()) && join.size() != size && coordinator.isEmpty()) {
      LOG.info("{} had {} ranks and is joined by {}", group, size, join.size());
      size = join.size();
      begin.resized();
      coordinator = new GroupCoordinator(group, size, context.cadence(), context.joinTimeout());
    }
  }

  private void carryOut(CoordinatorAction action) {
    if (action instanceof CoordinatorAction.Send send) {
      outbox.send(send.rank(), send.incarnation(), send.message());
      if (send.rank() == 0 && send.message() instanceof CoordinatorMessage.Resume resume) {
        lookForLaterEpoch(resume);
      }
    } else if (action instanceof CoordinatorAction.ClaimEpoch asked) {
      submit(storing, store::begins);
      submit(storing, () -> begin.run(asked.origins()));
    } else if (action instanceof CoordinatorAction.ClaimAgain asked) {
      submit(storing, () -> begin.claim(asked.epoch()));
    } else if (action instanceof CoordinatorAction.FindBirth) {
      submit(storing, begin::findBirth);
    } else if (action instanceof CoordinatorAction.TakeLater asked) {
      submit(storing, () -> begin.later(asked.instead(), asked.origins()));
    } else if (action instanceof CoordinatorAction.SearchCadence asked) {
      submit(context.searching(), () -> search(asked.search()));
    } else if (action instanceof CoordinatorAction.ReportCadence reported) {
      context.reports().report(group, reported.report(), reported.adopted());
    } else if (action instanceof CoordinatorAction.Remind asked) {
      remind(asked.afterNanos());
    } else if (action instanceof CoordinatorAction.LookAgain asked) {
      lookAfter(asked.afterNanos());
    } else if (action instanceof CoordinatorAction.ReportTrouble trouble) {
      LOG.warn("{}: {}", group, trouble.reason());
    } else if (action instanceof CoordinatorAction.CommitManifest asked) {
      commitSoon(asked);
    } else if (action instanceof CoordinatorAction.MarkAnySealed) {
      submit(storing, store::markAnySealed);
    } else if (action instanceof CoordinatorAction.NoteNodeSeal asked) {
      noteSoon(asked.seal());
    } else if (action instanceof CoordinatorAction.MarkEnd asked) {
      submit(storing, () -> store.markEnd(asked.last()));
    } else {
      throw new IllegalArgumentException("no known action: " + action);
    }
  }

  /**
   * A process that was stopped for long may resume from a checkpoint of an attempt that came after
   * it. STORE takes none of its own then, so its ranks have to know that they are over.
   */
  private void lookForLaterEpoch(CoordinatorMessage.Resume resume) {
    if (resume.id().filter(id -> id.epoch() > resume.epoch()).isPresent()) {
      submit(storing, () -> store.look(resume.epoch()));
    }
  }

  private void commitSoon(CoordinatorAction.CommitManifest asked) {
    CheckpointManifest manifest = asked.manifest();
    if (commitsWaiting.incrementAndGet() > MAX_COMMITS_WAITING) {
      commitsWaiting.decrementAndGet();
      on(
          CoordinatorEvent.CommitEnded.uncommitted(
              manifest.id(),
              new CommitOutcome.Failed(MAX_COMMITS_WAITING + " commits wait for STORE")));
      return;
    }
    submit(
        storing,
        () -> {
          try {
            store.commit(manifest, asked.learned());
          } finally {
            commitsWaiting.decrementAndGet();
          }
        });
  }

  /** Behind a store that hangs waits one note at most, the newest. */
  private void noteSoon(NodeSeal seal) {
    if (note.getAndSet(seal) == null) {
      submit(
          storing,
          () -> {
            NodeSeal newest = note.getAndSet(null);
            if (newest != null) {
              store.noteNodes(newest);
            }
          });
    }
  }

  private void submit(Executor executor, Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.warn("{}: the process ended before its coordinator's action was carried out", group);
    }
  }

  /** Looks at most once at a time, and only while ranks report or wait. */
  private void lookAfter(long nanos) {
    looks = true;
    context.alarm().after(nanos, () -> on(new CoordinatorEvent.LookAtWaits()));
  }

  private void remind(long afterNanos) {
    context.alarm().after(afterNanos, () -> on(new CoordinatorEvent.Reminded()));
  }

  private void search(CadenceSearch search) {
    long begin = context.nanoTime().getAsLong();
    CadenceSearch.Found found;
    try {
      found = search.run();
    } catch (RuntimeException e) {
      LOG.error(
          "The search for a better cadence of {} failed; the cadence does not change", group, e);
      found = new CadenceSearch.Found(Double.NaN, Optional.empty());
    }
    on(new CoordinatorEvent.CadenceFound(search, found, context.nanoTime().getAsLong() - begin));
  }
}
