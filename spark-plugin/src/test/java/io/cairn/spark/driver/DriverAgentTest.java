package io.cairn.spark.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeReply.ToMember;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.ExchangeRequest.ToCoordinator;
import io.cairn.core.wire.Wire;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.Exchange;
import io.cairn.engine.coordination.RemoteCoordination;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The driver's part and two executors', wired together without Spark's network. */
@Timeout(60)
class DriverAgentTest {
  private static final GroupId GROUP = new GroupId("job", "pair");

  @TempDir private Path root = Path.of("");

  private DriverAgent agent = new DriverAgent();

  @BeforeEach
  void start() throws IOException {
    CairnConfig config = config(0);
    agent = new DriverAgent(config, CheckpointStores.open(config.store()));
  }

  @AfterEach
  void stop() {
    agent.shutdown();
  }

  private CairnConfig config(int executor) {
    return CairnConfig.of(
        Map.of(
            "job", "job",
            "store", root.resolve("store").toString(),
            "node.dir", root.resolve("node-" + executor).toString(),
            "device.dir", root.resolve("device-" + executor).toString(),
            "device.cacheSize", "1m",
            "chunkSize", "4k",
            "node.every", "2",
            "store.every", "4",
            "closeTimeout", "20s"));
  }

  /** Trains both ranks at once, from where they are to {@code to}; what each says at its end. */
  private List<String> train(Exchange driver, int to) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    List<Future<String>> running = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      int own = rank;
      running.add(threads.submit(() -> trainRank(own, driver, to)));
    }
    List<String> ends = new ArrayList<>();
    for (Future<String> one : running) {
      ends.add(one.get());
    }
    threads.shutdown();
    return ends;
  }

  private String trainRank(int rank, Exchange driver, int to) throws Exception {
    CairnConfig config = config(rank);
    try (RemoteCoordination remote =
            new RemoteCoordination("executor-" + rank, "node-" + rank, "", driver);
        CairnEngine cairn = CairnEngine.open(config)) {
      cairn.coordinateCoupledGroups(remote);
      try (Checkpointer checkpointer = cairn.join("pair", rank, 2)) {
        long[] state = new long[3000];
        checkpointer.protect(Region.of("state", state));
        Optional<RestoreReport> report = checkpointer.restore();
        long from = report.map(r -> r.id().iteration() + 1).orElse(0L);
        for (long i = from; i < to - 1; i++) {
          step(state, i);
          checkpointer.checkpoint(i).captured().join();
        }
        step(state, to - 1);
        CheckpointTicket last = checkpointer.checkpoint(to - 1);
        assertThat(last.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
        CheckpointTicket unused = checkpointer.end(to - 1);
        assertThat(state[7]).isEqualTo(undisturbed(to));
        return "from " + from + " in " + checkpointer.epoch();
      }
    }
  }

  private static void step(long[] state, long iteration) {
    for (int i = 0; i < state.length; i++) {
      state[i] = state[i] * 31 + iteration + i;
    }
  }

  private static long undisturbed(int iterations) {
    long[] state = new long[8];
    for (long i = 0; i < iterations; i++) {
      step(state, i);
    }
    return state[7];
  }

  /** Spark ends the driver's part as soon as the last task has ended. */
  @Test
  void theEndOfATrainingIsMarkedBeforeTheDriverEnds() throws Exception {
    train(agent::answer, 5);

    agent.shutdown();

    assertThat(root.resolve("store/job/pair/epochs/000001-i0000000004.end")).exists();
  }

  @Test
  void twoExecutorsSealAndGoOnTogether() throws Exception {
    assertThat(train(agent::answer, 5)).containsOnly("from 0 in 1");
  }

  @Test
  void anotherApplicationGoesOnFromWhatTheStoreAndTheNodesHave() throws Exception {
    assertThat(train(agent::answer, 5)).containsOnly("from 0 in 1");
    agent.shutdown();
    start();
    assertThat(train(agent::answer, 9)).containsOnly("from 5 in 2");
  }

  /** A repeated request and a repeated reply count once. */
  @Test
  void answersThatAreLostLoseNothing() throws Exception {
    AtomicInteger lost = new AtomicInteger();
    Exchange driver =
        request ->
            agent
                .answer(request)
                .thenApply(
                    reply -> {
                      if (Wire.decode(reply, ExchangeReply.class)
                              instanceof ExchangeReply.Messages sent
                          && !sent.messages().isEmpty()
                          && lost.incrementAndGet() % 3 == 1) {
                        throw new UncheckedIOException(new IOException("timed out"));
                      }
                      return reply;
                    });
    assertThat(train(driver, 5)).containsOnly("from 0 in 1");
    assertThat(lost).hasPositiveValue();
  }

  @Test
  void messagesWaitForADriverThatDoesNotAnswer() throws Exception {
    AtomicInteger refused = new AtomicInteger();
    Exchange driver =
        request -> {
          boolean says =
              Wire.decode(request, ExchangeRequest.class) instanceof ExchangeRequest.Send send
                  && !send.messages().isEmpty();
          return says && refused.incrementAndGet() <= 4
              ? CompletableFuture.failedFuture(new IOException("busy"))
              : agent.answer(request);
        };
    assertThat(train(driver, 5)).containsOnly("from 0 in 1");
    assertThat(refused).hasValueGreaterThan(4);
  }

  @Test
  void aRequestThatComesAgainDoesNotFenceWhoCameAfterIt() throws IOException {
    GroupId alone = new GroupId("job", "alone");
    byte[] first =
        request("1", 1, alone, "earlier", new MemberMessage.Join(0, 1, "earlier", origin(alone)));
    byte[] second =
        request("2", 1, alone, "later", new MemberMessage.Join(0, 1, "later", origin(alone)));
    ask(first);
    assertThat(until("1", CoordinatorMessage.Joined.class)).hasSize(1);
    ask(second);
    assertThat(until("2", CoordinatorMessage.Joined.class)).hasSize(1);
    ask(first);
    ask(request("2", 2, alone, "later", new MemberMessage.Offer(0, 2, List.of())));
    assertThat(until("2", CoordinatorMessage.Resume.class)).hasSize(2);
    assertThat(until("1", CoordinatorMessage.Fenced.class)).hasSize(2);
  }

  private byte[] ask(byte[] request) {
    return agent.answer(request).toCompletableFuture().join();
  }

  private Origin origin(GroupId group) throws IOException {
    try (CheckpointStore store = CheckpointStores.open(root.resolve("store").toString())) {
      return new Origin(GroupBirth.of(store, group), 0);
    }
  }

  private static byte[] request(
      String executor, long number, GroupId group, String incarnation, MemberMessage message) {
    return Wire.encode(
        new ExchangeRequest.Send(
            executor, number, 0, List.of(new ToCoordinator(group, 1, incarnation, message))));
  }

  /** Fetches until a message of that kind is the last one; all messages so far. */
  private List<CoordinatorMessage> until(
      String executor, Class<? extends CoordinatorMessage> kind) {
    byte[] fetch = Wire.encode(new ExchangeRequest.Send(executor, 1, 0, List.of()));
    while (true) {
      List<CoordinatorMessage> messages =
          ((ExchangeReply.Messages) Wire.decode(ask(fetch), ExchangeReply.class))
              .messages().stream().map(ToMember::message).toList();
      if (!messages.isEmpty() && kind.isInstance(messages.get(messages.size() - 1))) {
        return messages;
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void refusesWhatIsNoRequest() {
    assertThatThrownBy(() -> agent.answer(new byte[] {1, 2, 3}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new DriverAgent()
                    .answer(
                        request(
                            "1", 1, GROUP, "x", new MemberMessage.Join(0, 1, "x", origin(GROUP)))))
        .isInstanceOf(IllegalStateException.class);
  }
}
