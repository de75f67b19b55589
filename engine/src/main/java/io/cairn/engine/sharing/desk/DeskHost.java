package io.cairn.engine.sharing.desk;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.flow.FlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerService;
import io.cairn.core.sharing.DeskAction;
import io.cairn.core.sharing.DeskEvent;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.DeskPlan;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.sharing.HolderSite;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.sharing.PlanDesk;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.peer.HolderId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link PlanDesk}, and knows which processes serve their nodes. One thread handles messages
 * in order of arrival. A report is answered later, when its plan is made, so no caller blocks. A
 * process registers again and again, and is forgotten when it falls silent. Thread-safe.
 */
public final class DeskHost implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeskHost.class);

  static final String THREAD = "cairn-desk";

  /** The most ended processes that are remembered; the oldest are forgotten first. */
  private static final int MOST_GONE = 100_000;

  private static final int MOST_SHARED = 10_000;

  /** More time between two registrations counts as the desk's own silence. */
  private static final long MOST_UNHEARD_NANOS = NodeRegister.SILENCE.toNanos() / 3;

  private final PlanDesk desk;
  private final NodeRegister nodes;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService executor;

  /** Open reports; a repeated report has one more future. */
  private final Map<Asked, List<CompletableFuture<PeerReply>>> open = new HashMap<>();

  /** Holders with {@link #heardNanos} at their last registration; the least recent one is first. */
  private final Map<String, Long> holders = new LinkedHashMap<>();

  /** The time that passed while registrations came. */
  private long heardNanos;

  private long registeredNanos;

  /** Groups that share, with the epoch in which all holders were notified; the latest ones. */
  private final Map<GroupId, Long> shared = new LinkedHashMap<>();

  /** Processes that count as dead; one that was only suspended and wakes lends nothing more. */
  private final Set<String> gone = new LinkedHashSet<>();

  private volatile BiConsumer<PeerAddress, byte[]> send = (holder, message) -> {};
  private volatile Consumer<DeskPlan> observer = plan -> {};
  private @Nullable Future<?> wake;

  private record Asked(String holder, CheckpointId checkpoint, int rank) {
    static Asked of(DeskMessage.Report report) {
      return new Asked(report.holder(), report.checkpoint(), report.member().rank());
    }
  }

  /** Hosts a desk on a thread of the JVM, whose clock is {@link System#nanoTime}. */
  public DeskHost(
      DeskTerms terms, Function<List<HolderSite>, Topology> linking, FlowScheduler scheduler) {
    this(
        terms,
        linking,
        scheduler,
        System::nanoTime,
        Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(THREAD)));
  }

  /**
   * Hosts a desk; the parameters are those of {@link PlanDesk#PlanDesk}.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @param thread handles all messages; ends with this
   */
  public DeskHost(
      DeskTerms terms,
      Function<List<HolderSite>, Topology> linking,
      FlowScheduler scheduler,
      LongSupplier nanoTime,
      ScheduledExecutorService thread) {
    this.nanoTime = nanoTime;
    this.registeredNanos = nanoTime.getAsLong();
    this.executor = thread;
    this.nodes = new NodeRegister(nanoTime);
    this.desk = new PlanDesk(terms, linking, scheduler, this::made);
  }

  /**
   * Replaces the observer of plans.
   *
   * @param plans receives each plan on the desk's thread, and must return soon
   */
  public void observe(Consumer<DeskPlan> plans) {
    observer = plans;
  }

  private void made(DeskPlan plan) {
    try {
      observer.accept(plan);
    } catch (RuntimeException e) {
      LOG.error("The observer of plans failed at that of {}", plan.first(), e);
    }
  }

  /**
   * Handles a message; the stage completes with its answer, at once for all but reports.
   *
   * @return {@link PeerReply.Planned} to a report, {@link PeerReply.Done} to the rest; fails with
   *     {@link IllegalArgumentException} if the message names no holder
   */
  public CompletionStage<PeerReply> answer(DeskMessage message) {
    CompletableFuture<PeerReply> answer = new CompletableFuture<>();
    try {
      if (message instanceof DeskMessage.Registered registered) {
        HolderId id = HolderId.parse(registered.site().holder());
        executor.execute(() -> register(registered, id, answer));
      } else {
        executor.execute(() -> take(message, answer));
      }
    } catch (IllegalArgumentException | RejectedExecutionException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  /** Notifies holders of the groups that share in this way from now on. */
  public void notifyBy(BiConsumer<PeerAddress, byte[]> sending) {
    send = sending;
  }

  /**
   * Answers a holder that reaches the desk as a peer.
   *
   * @throws IllegalArgumentException if it is no question for a desk
   */
  public CompletionStage<byte[]> answer(byte[] question) {
    PeerRequest.ToDesk request = Wire.decode(question, PeerRequest.ToDesk.class);
    if (request instanceof PeerRequest.Desk desk) {
      return answer(desk.message()).thenApply(Wire::encode);
    } else if (request instanceof PeerRequest.ServeNode serve) {
      PeerReply others = new PeerReply.Nodes(nodes.serve(serve.site()));
      return CompletableFuture.completedFuture(Wire.encode(others));
    }
    throw new IllegalArgumentException("a desk does not answer " + request);
  }

  /** Serves holders through a transport, and notifies them of the groups that share. */
  public PeerService service(BiConsumer<PeerAddress, byte[]> sending) {
    notifyBy(sending);
    return this::answer;
  }

  /** The number of registered holders; fails after {@link #close}. */
  public CompletionStage<Integer> holders() {
    try {
      return CompletableFuture.supplyAsync(holders::size, executor);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Removes the holder of a process that has ended, or counts as dead. Later registrations of that
   * process are ignored.
   */
  public void gone(String process) {
    nodes.gone(process);
    try {
      executor.execute(() -> remove(process));
    } catch (RejectedExecutionException e) {
      LOG.debug("{} is gone, and so is the desk", process);
    }
  }

  private void remove(String process) {
    gone.add(process);
    if (gone.size() > MOST_GONE) {
      gone.remove(gone.iterator().next());
    }
    holders.keySet().stream()
        .filter(holder -> HolderId.parse(holder).process().equals(process))
        .toList()
        .forEach(this::forget);
  }

  private void forget(String holder) {
    holders.remove(holder);
    on(new DeskEvent.Gone(holder));
  }

  /** One that was only silent registers again. Its lenders' books know which slots it still has. */
  private void forgetSilent() {
    long now = nanoTime.getAsLong();
    heardNanos += Math.min(now - registeredNanos, MOST_UNHEARD_NANOS);
    registeredNanos = now;
    holders.entrySet().stream()
        .takeWhile(holder -> heardNanos - holder.getValue() >= NodeRegister.SILENCE.toNanos())
        .map(Map.Entry::getKey)
        .toList()
        .forEach(this::forget);
  }

  private void take(DeskMessage message, CompletableFuture<PeerReply> answer) {
    if (message instanceof DeskMessage.Report report) {
      open.computeIfAbsent(Asked.of(report), a -> new ArrayList<>(1)).add(answer);
      if (report.remainderChunks() > 0 && report.member().size() > 1) {
        shares(report);
      }
      on(message);
    } else {
      on(message);
      answer.complete(new PeerReply.Done());
    }
  }

  private void register(
      DeskMessage.Registered registered, HolderId id, CompletableFuture<PeerReply> answer) {
    if (!gone.contains(id.process())) {
      forgetSilent();
      on(registered);
      boolean unknown = holders.remove(id.toString()) == null;
      holders.put(id.toString(), heardNanos);
      if (unknown) {
        shared.keySet().forEach(group -> send.accept(id.address(), sharing(group)));
      }
    }
    answer.complete(new PeerReply.Done());
  }

  /** Notifies all holders that every rank of the group must report, even without a remainder. */
  private void shares(DeskMessage.Report report) {
    GroupId group = report.member().group();
    if (!Objects.equals(shared.put(group, report.epoch()), report.epoch())) {
      if (shared.size() > MOST_SHARED) {
        shared.remove(shared.keySet().iterator().next());
      }
      byte[] notice = sharing(group);
      holders.keySet().forEach(holder -> send.accept(HolderId.parse(holder).address(), notice));
    }
  }

  private static byte[] sharing(GroupId group) {
    return Wire.encode(new PeerRequest.Shares(group));
  }

  private void on(DeskEvent event) {
    try {
      desk.on(event, nanoTime.getAsLong()).forEach(this::carryOut);
    } catch (RuntimeException e) {
      LOG.error("The desk could not handle {}", event, e);
      if (event instanceof DeskMessage.Report report) {
        // a rank without an answer puts its remainder into host memory by itself
        List<CompletableFuture<PeerReply>> waiting = open.remove(Asked.of(report));
        if (waiting != null) {
          waiting.forEach(one -> one.completeExceptionally(e));
        }
      }
    }
  }

  private void carryOut(DeskAction action) {
    if (action instanceof DeskAction.Answer reply) {
      PlanAnswer answer = reply.answer();
      Asked asked = new Asked(reply.holder(), answer.checkpoint(), answer.rank());
      List<CompletableFuture<PeerReply>> waiting = open.remove(asked);
      if (waiting != null) {
        PeerReply planned = new PeerReply.Planned(answer);
        waiting.forEach(one -> one.complete(planned));
      }
    } else if (action instanceof DeskAction.WakeAt when) {
      if (wake != null) {
        wake.cancel(false);
      }
      long delay = Math.max(0, when.nanos() - nanoTime.getAsLong());
      Runnable clock = DaemonThreads.watched(THREAD, () -> on(new DeskEvent.Clock()));
      wake = executor.schedule(clock, delay, TimeUnit.NANOSECONDS);
    } else {
      throw new IllegalArgumentException("no known action of the desk: " + action);
    }
  }

  /** Ends the desk; open reports stay unanswered. Idempotent. */
  @Override
  public void close() {
    executor.shutdownNow();
  }
}
