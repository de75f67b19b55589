package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.ExchangeRequest.ToCoordinator;
import io.cairn.core.wire.Wire;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups that ended leave nothing in the memory of their coordinators' process. */
@Timeout(120)
class EndedGroupsTest {
  private static final int GROUPS = 300;

  @TempDir Path root;

  private final AtomicLong clock = new AtomicLong();
  private LocalStore store;
  private HostFactory factory;

  @BeforeEach
  void open() throws IOException {
    store = LocalStore.open(root, Durability.PROCESS);
    factory = CallersThread.hosts(store, clock::get);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private static GroupId group(int number) {
    return new GroupId("job", "trial-" + number);
  }

  private MemberMessage.Join join(GroupId group, int rank, int size, String incarnation) {
    try {
      Origin origin = new Origin(GroupBirth.of(store, group), 0);
      return new MemberMessage.Join(rank, size, incarnation, origin);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The container of a rank that {@link #training} reports. */
  private void write(GroupId group, int rank) {
    String path = StoreNames.file(new CheckpointId(group, 1, 0), "container-" + rank);
    try (StoreOutput out = store.create(path)) {
      out.write(ByteBuffer.allocate(8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A training of one iteration that ends in order. */
  private static List<MemberMessage> training(int rank) {
    List<MemberMessage> messages = new ArrayList<>();
    messages.add(new MemberMessage.Held(rank, 1, 0, Level.DEVICE, List.of(), Measurement.NONE));
    messages.add(new MemberMessage.Ending(rank, 1, 0, MemberMessage.End.CAPTURED));
    ContainerSummary container =
        new ContainerSummary("container-" + rank, 8, Digest.of(new byte[0]), List.of(rank));
    messages.add(
        new MemberMessage.Held(rank, 1, 0, Level.STORE, List.of(container), Measurement.NONE));
    return messages;
  }

  private static MemberMessage offer(int rank) {
    return new MemberMessage.Offer(rank, 1, List.of());
  }

  private static MemberMessage leave(int rank) {
    return new MemberMessage.Leave(rank, 1);
  }

  @Test
  void trialsThatEndedInOrderAreForgotten() {
    LocalCoordination local = new LocalCoordination(factory);
    List<CoordinatorMessage> received = new ArrayList<>();

    for (int i = 0; i < GROUPS; i++) {
      Coordination.Link link = local.connect(new Member(group(i), 0, 1), "only", received::add);
      link.send(join(group(i), 0, 1, "only"));
      write(group(i), 0);
      link.send(offer(0));
      training(0).forEach(link::send);
      link.send(leave(0));
      link.close();
    }

    assertThat(received)
        .filteredOn(message -> message instanceof CoordinatorMessage.Settled)
        .filteredOn(message -> message.toString().contains("STORE"))
        .as("seals at STORE")
        .hasSize(GROUPS);
    assertThat(local.groups()).isLessThanOrEqualTo(2);
  }

  @Test
  void trialsThatBrokeOffAreForgottenAfterASilence() {
    LocalCoordination local = new LocalCoordination(factory);

    for (int i = 0; i < GROUPS; i++) {
      Coordination.Link link = local.connect(new Member(group(i), 0, 1), "only", message -> {});
      link.send(join(group(i), 0, 1, "only"));
      link.send(leave(0));
      link.close();
      clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
    }

    assertThat(local.groups()).isLessThanOrEqualTo(12);
  }

  @Test
  void aGroupWithMembersIsNeverForgotten() {
    LocalCoordination local = new LocalCoordination(factory);
    List<CoordinatorMessage> received = new ArrayList<>();
    Coordination.Link link = local.connect(new Member(group(0), 0, 1), "only", received::add);
    link.send(join(group(0), 0, 1, "only"));
    clock.addAndGet(TimeUnit.DAYS.toNanos(1));

    local
        .connect(new Member(group(1), 0, 1), "other", message -> {})
        .send(join(group(1), 0, 1, "other"));
    Coordination.Link again = local.connect(new Member(group(0), 0, 1), "twin", message -> {});
    again.send(join(group(0), 0, 1, "twin"));

    assertThat(received).last().isInstanceOf(CoordinatorMessage.Fenced.class);
  }

  @Test
  void aServerForgetsCoupledGroupsTheirRanksAndTheirMessages() {
    ExchangeServer server = new ExchangeServer(factory, request -> {}, clock::get);
    Executor executor = new Executor(server, "executor-1");

    for (int i = 0; i < GROUPS; i++) {
      GroupId group = group(i);
      executor.each(group, rank -> join(group, rank, 2, executor.incarnation(group, rank)));
      write(group, 0);
      write(group, 1);
      executor.each(group, EndedGroupsTest::offer);
      for (int step = 0; step < training(0).size(); step++) {
        int now = step;
        executor.each(group, rank -> training(rank).get(now));
      }
      executor.each(group, EndedGroupsTest::leave);
    }

    assertThat(server.groups()).isLessThanOrEqualTo(2);
    assertThat(server.mailboxes().size()).isLessThanOrEqualTo(2);
  }

  @Test
  void aServerForgetsProcessesThatDied() {
    ExchangeServer server = new ExchangeServer(factory, request -> {}, clock::get);

    for (int i = 0; i < GROUPS; i++) {
      Executor executor = new Executor(server, "executor-" + i);
      executor.each(
          group(0), rank -> join(group(0), rank, 2, executor.incarnation(group(0), rank)));
      clock.addAndGet(TimeUnit.MINUTES.toNanos(10));
    }

    assertThat(server.mailboxes().size()).isLessThan(100);
  }

  /** A process with both ranks of a group. */
  private static final class Executor {
    private final ExchangeServer server;
    private final String process;
    private long requests;
    private long received;

    Executor(ExchangeServer server, String process) {
      this.server = server;
      this.process = process;
      ask(new ExchangeRequest.Register(process, ++requests, "node", ""));
    }

    String incarnation(GroupId group, int rank) {
      return process + "-" + group.group() + "-" + rank;
    }

    private interface Message {
      MemberMessage of(int rank);
    }

    void each(GroupId group, Message message) {
      List<ToCoordinator> batch =
          IntStream.range(0, 2)
              .mapToObj(
                  rank -> new ToCoordinator(group, 2, incarnation(group, rank), message.of(rank)))
              .toList();
      send(batch);
      send(List.of());
    }

    private void send(List<ToCoordinator> batch) {
      if (ask(new ExchangeRequest.Send(process, ++requests, received, batch))
          instanceof ExchangeReply.Messages messages) {
        received = Math.max(received, messages.last());
      }
    }

    private ExchangeReply ask(ExchangeRequest request) {
      byte[] reply = server.answer(Wire.encode(request)).toCompletableFuture().join();
      return Wire.decode(reply, ExchangeReply.class);
    }
  }
}
