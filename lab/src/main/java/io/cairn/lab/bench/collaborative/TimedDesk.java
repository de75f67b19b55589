package io.cairn.lab.bench.collaborative;

import io.cairn.core.flow.FlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.sharing.HolderSite;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.engine.sharing.desk.DeskHost;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Function;

/**
 * A desk over sockets that knows when questions come and when their answers are made. One thread
 * reads what it counted.
 */
final class TimedDesk implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final long PATIENCE_SECONDS = 60;

  private final DeskHost host;
  private final PeerService service;
  private final TcpPeerTransport transport;
  private final Semaphore arrived = new Semaphore(0);
  private final Semaphore answered = new Semaphore(0);
  private final LongAccumulator lastArrival = new LongAccumulator(Math::max, Long.MIN_VALUE);
  private final LongAccumulator lastAnswer = new LongAccumulator(Math::max, Long.MIN_VALUE);

  /** Serves at once. */
  TimedDesk(
      DeskTerms terms,
      Function<List<HolderSite>, Topology> linking,
      FlowScheduler scheduler,
      PeerLimits limits)
      throws IOException {
    host = new DeskHost(terms, linking, scheduler);
    service = host.service((holder, message) -> {});
    transport = TcpPeerTransport.open(HOST, 0, CoordinatorBenchmark.SECRET, new Service(), limits);
  }

  int port() {
    return transport.address().port();
  }

  /** Forgets what was counted before. */
  void begin() {
    arrived.drainPermits();
    answered.drainPermits();
  }

  /** Waits until so many questions more have come, and the desk has looked at all of them. */
  void awaitArrivals(int questions) throws IOException, InterruptedException {
    await(arrived, questions, "arrived");
    DeskMessage behindAll = new DeskMessage.Spare("nobody", 0, 1);
    host.answer(behindAll).toCompletableFuture().join();
  }

  /**
   * Waits until the answers to so many questions more are made.
   *
   * @return how long after the arrival of the last question the last answer was made
   */
  long awaitAnswers(int questions) throws IOException, InterruptedException {
    await(answered, questions, "were answered");
    return lastAnswer.get() - lastArrival.get();
  }

  private static void await(Semaphore events, int wanted, String what)
      throws IOException, InterruptedException {
    if (!events.tryAcquire(wanted, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "only %d of %d questions %s within %d s",
              events.availablePermits(),
              wanted,
              what,
              PATIENCE_SECONDS));
    }
  }

  @Override
  public void close() {
    transport.close();
    host.close();
  }

  private final class Service implements PeerService {
    @Override
    public CompletionStage<byte[]> answer(byte[] request) {
      lastArrival.accumulate(System.nanoTime());
      arrived.release();
      return service
          .answer(request)
          .whenComplete(
              (answer, failure) -> {
                lastAnswer.accumulate(System.nanoTime());
                answered.release();
              });
    }
  }
}
