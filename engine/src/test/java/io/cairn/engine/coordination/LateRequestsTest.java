package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeReply.ToMember;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.ExchangeRequest.ToCoordinator;
import io.cairn.core.wire.Wire;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that a server receives after their process gave them up, and registered there. */
@Timeout(60)
class LateRequestsTest {
  private static final GroupId GROUP = new GroupId("job", "pair");
  private static final long REGISTRATION = 29;

  /** Messages that the process received of the server before. */
  private static final long OF_FORMER = 25;

  @TempDir Path root;

  private final List<ExchangeRequest> arrived = new ArrayList<>();
  private LocalStore store;
  private ExchangeServer server;

  @BeforeEach
  void registerAndJoin() throws IOException {
    store = LocalStore.open(root, Durability.PROCESS);
    server = new ExchangeServer(CallersThread.hosts(store, () -> 0), arrived::add, () -> 0);
    arrive(new ExchangeRequest.Register("p", REGISTRATION, "node", ""));
    arrive(new ExchangeRequest.Send("p", REGISTRATION + 1, 0, List.of(join(0), join(1))));
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private ToCoordinator join(int rank) throws IOException {
    Origin origin = new Origin(GroupBirth.of(store, GROUP), 0);
    return new ToCoordinator(
        GROUP, 2, "rank " + rank, new MemberMessage.Join(rank, 2, "rank " + rank, origin));
  }

  private void arrive(ExchangeRequest request) {
    var unused = ask(request);
  }

  private CompletableFuture<ExchangeReply> ask(ExchangeRequest request) {
    return server
        .answer(Wire.encode(request))
        .thenApply(bytes -> Wire.decode(bytes, ExchangeReply.class))
        .toCompletableFuture();
  }

  private List<CoordinatorMessage> waiting() {
    ExchangeReply.Messages none = new ExchangeReply.Messages(0, List.of());
    ExchangeReply reply = ask(new ExchangeRequest.Fetch("p", REGISTRATION, 0)).getNow(none);
    return ((ExchangeReply.Messages) reply).messages().stream().map(ToMember::message).toList();
  }

  @Test
  void lateMessagesAcknowledgeNothing() {
    arrive(new ExchangeRequest.Send("p", REGISTRATION - 1, OF_FORMER, List.of()));

    assertThat(waiting()).hasSize(2).hasOnlyElementsOfType(CoordinatorMessage.Joined.class);
  }

  @Test
  void aLateFetchAcknowledgesNothing() {
    arrive(new ExchangeRequest.Fetch("p", 1, OF_FORMER));

    assertThat(waiting()).hasSize(2).hasOnlyElementsOfType(CoordinatorMessage.Joined.class);
  }

  @Test
  void aLateFetchDoesNotReplaceTheOneThatWaits() {
    arrive(new ExchangeRequest.Send("p", REGISTRATION + 2, 2, List.of()));
    CompletableFuture<ExchangeReply> open = ask(new ExchangeRequest.Fetch("p", REGISTRATION, 2));

    arrive(new ExchangeRequest.Fetch("p", 1, OF_FORMER));

    assertThat(open).isNotDone();
  }

  /** Its reply was lost, so the process sends it again. */
  @Test
  void aRepeatedRequestIsAnsweredAgainAndHandledOnce() throws IOException {
    ExchangeRequest.Send again =
        new ExchangeRequest.Send("p", REGISTRATION + 1, 0, List.of(join(0), join(1)));

    ExchangeReply reply = ask(again).getNow(new ExchangeReply.Unregistered());

    assertThat(((ExchangeReply.Messages) reply).messages()).hasSize(2);
    assertThat(arrived).filteredOn(ExchangeRequest.Send.class::isInstance).hasSize(1);
    assertThat(waiting()).hasSize(2);
  }

  @Test
  void aRepeatedRegistrationChangesNothing() {
    arrive(new ExchangeRequest.Register("p", REGISTRATION, "node", ""));
    arrive(new ExchangeRequest.Send("p", REGISTRATION - 1, OF_FORMER, List.of()));

    assertThat(waiting()).hasSize(2);
  }
}
