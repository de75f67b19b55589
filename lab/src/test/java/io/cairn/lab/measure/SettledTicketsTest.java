package io.cairn.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SettledTicketsTest {
  private final Queue<Outcome> atStore = new ArrayDeque<>();
  private final List<String> calls = new ArrayList<>();
  private final SettledTickets tickets =
      new SettledTickets(
          proxy(
              Checkpointer.class,
              (method, arguments) -> {
                calls.add(method);
                return method.equals("checkpoint") ? ticket(atStore.remove()) : null;
              }),
          false);

  private static CheckpointTicket ticket(Outcome atStore) {
    return proxy(
        CheckpointTicket.class,
        (method, arguments) ->
            switch (method) {
              case "id" -> new CheckpointId(new GroupId("job", "group"), 1, 50);
              case "sealed" ->
                  CompletableFuture.completedFuture(
                      arguments[0] == Level.STORE ? atStore : new Outcome.Sealed(Level.NODE));
              default -> throw new AssertionError(method);
            });
  }

  private interface Answer {
    @Nullable Object to(String method, Object[] arguments);
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.to(method.getName(), arguments)));
  }

  @Test
  void thoseAtStoreAreCounted() {
    atStore.add(new Outcome.Sealed(Level.STORE));
    atStore.add(new Outcome.NotDue(Level.STORE));
    atStore.add(new Outcome.Skipped("its queue is full"));
    for (int i = 0; i < 3; i++) {
      CheckpointTicket unused = tickets.checkpoint(i);
    }

    tickets.await();

    assertThat(tickets.stored()).isEqualTo(1);
  }

  /** It costs less than one that arrives. */
  @Test
  void oneThatFailedEndsTheMeasurement() {
    atStore.add(new Outcome.Failed("the disk is full"));
    CheckpointTicket unused = tickets.checkpoint(0);

    assertThatIllegalStateException()
        .isThrownBy(tickets::await)
        .withMessageContaining("is not at STORE")
        .withMessageContaining("the disk is full");
  }

  /** The group would resume what has ended. */
  @Test
  void aBeginningAfreshIsPassedOn() {
    tickets.startAfresh();

    assertThat(calls).containsExactly("startAfresh");
  }
}
