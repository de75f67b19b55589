package io.cairn.engine.runtime;

import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.Waits;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The instance of this process, and how it is opened when none is installed. An opening has a
 * thread of its own and holds no lock, since a store may hang: {@link #get} alone waits for it.
 * Thread-safe.
 */
public final class ProcessInstance {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessInstance.class);
  private static final String THREAD = "cairn-open";
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static @Nullable CairnEngine installed;

  /** The instance that {@link #get} opened. */
  private static @Nullable CairnEngine opened;

  /** Null for the defaults, which are those of a process without Spark. */
  private static CairnEngine.@Nullable Opening opening;

  private static Runnable interruption = () -> {};

  /** The opening that is under way. */
  private static @Nullable Attempt attempt;

  private ProcessInstance() {}

  /** One opening. */
  private static final class Attempt {
    private final CairnEngine.@Nullable Opening opens;
    private final Thread thread = DaemonThreads.unstarted(THREAD, this::run);

    /** Empty if another opening takes its place. */
    private final CompletableFuture<Optional<CairnEngine>> result = new CompletableFuture<>();

    Attempt(CairnEngine.@Nullable Opening opens) {
      this.opens = opens;
    }

    private void run() {
      CairnEngine cairn;
      try {
        cairn = opens == null ? openDefaults() : opens.open();
      } catch (Throwable e) { // the threads that wait throw it
        boolean unused = isOver(this, null);
        if (!result.completeExceptionally(e)) {
          LOG.debug("An opening for which nobody waits any more failed", e);
        }
        return;
      }
      if (isOver(this, cairn)) {
        cairn.close();
      }
    }

    /** Ends it. One that replaces itself knows the reason, which it throws. */
    void end(boolean goesOn) {
      boolean unused =
          goesOn
              ? result.complete(Optional.empty())
              : result.completeExceptionally(new IOException("it ended while it was opened"));
      if (thread != Thread.currentThread()) {
        thread.interrupt();
      }
    }
  }

  static CairnEngine get() {
    Optional<CairnEngine> cairn = Optional.empty();
    while (cairn.isEmpty()) {
      Attempt current;
      Runnable check;
      synchronized (ProcessInstance.class) {
        if (installed != null) {
          return installed;
        }
        current = attempt == null ? begin() : attempt;
        check = interruption;
      }
      cairn = await(current.result, check);
    }
    return cairn.get();
  }

  private static Attempt begin() {
    Attempt begun = new Attempt(opening);
    begun.thread.start();
    attempt = begun;
    return begun;
  }

  private static Optional<CairnEngine> await(
      CompletableFuture<Optional<CairnEngine>> result, Runnable check) {
    try {
      while (!Waits.REAL.await(result, POLL_NANOS)) {
        check.run();
      }
      return result.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while Cairn was opened", e);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause());
      if (cause instanceof Error error) {
        throw error;
      } else if (cause instanceof RuntimeException runtime
          && !(runtime instanceof IllegalArgumentException)) {
        throw runtime;
      }
      throw new IllegalStateException("Cairn cannot start here: " + cause.getMessage(), cause);
    }
  }

  /** Takes the end of an opening; whether nobody wants its instance. */
  private static synchronized boolean isOver(Attempt ended, @Nullable CairnEngine cairn) {
    if (attempt != ended) {
      return true;
    }
    attempt = null;
    if (cairn != null && installed == null) {
      installed = cairn;
      opened = cairn;
    }
    if (installed != null) {
      boolean unused = ended.result.complete(Optional.of(installed));
    }
    return installed != cairn;
  }

  /**
   * Replaces the defaults of {@link io.cairn.Cairn#current()}. The caller closes the instance that
   * it opens. Does not wait: an opening that is under way is interrupted, and what it opens is
   * closed.
   *
   * @param opening used from now on; null for the defaults
   */
  public static void openOnDemand(CairnEngine.@Nullable Opening opening) {
    boolean unused = openBy(opening, () -> {});
  }

  /**
   * Like the other method, for threads that may be cancelled while they wait for the opening.
   *
   * @param interruption as for {@link #openBy}
   */
  public static void openOnDemand(CairnEngine.Opening opening, Runnable interruption) {
    boolean unused = openBy(opening, interruption);
  }

  static synchronized void install(CairnEngine cairn) {
    installed = cairn;
  }

  static synchronized void remove(CairnEngine cairn) {
    if (installed == cairn) {
      installed = null;
    }
    if (opened == cairn) {
      opened = null;
    }
  }

  /**
   * From now on, {@link #get} opens so; an instance that it opened otherwise is not returned. Does
   * not wait: ends an opening that is under way, whose threads wait for this one. If this is that
   * of the defaults, whatever opened has ended, and they fail.
   *
   * @param check throws on a thread that shall not wait for this opening any more
   * @return whether ranks have joined an instance that later ones do not use
   */
  static boolean openBy(CairnEngine.@Nullable Opening next, Runnable check) {
    Attempt ended;
    CairnConfig before = null;
    synchronized (ProcessInstance.class) {
      opening = next;
      interruption = check;
      ended = attempt;
      attempt = null;
      if (opened != null && installed == opened) {
        before = opened.config();
        installed = null;
      }
    }
    if (ended != null) {
      ended.end(next != null);
    }
    if (before == null || next == null) {
      return false;
    }
    LOG.warn(
        "Ranks that joined before use job {} and store {}; later ones use the application's",
        before.job(),
        before.store());
    return true;
  }

  /**
   * A process of Spark without the plugin has no settings: the defaults would be a store in the
   * home directory of each machine, and another job's name.
   */
  private static CairnEngine openDefaults() throws IOException {
    if (SparkProcess.isThis()) {
      throw new IllegalStateException(
          "Cairn's plugin does not run in this Spark application, so its job and store are"
              + " unknown. Set spark.plugins=io.cairn.spark.CairnPlugin, spark.cairn.job and"
              + " spark.cairn.store before the application starts");
    }
    CairnConfig defaults = CairnConfig.defaults();
    CairnEngine cairn = CairnEngine.open(defaults);
    LOG.info(
        "Cairn with its defaults: job {}, store {}. Cairn.open(settings).install() chooses others",
        defaults.job(),
        defaults.store());
    return cairn;
  }
}
