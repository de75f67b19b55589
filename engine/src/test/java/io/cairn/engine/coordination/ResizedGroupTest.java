package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host whose group comes back with another number of ranks. */
class ResizedGroupTest {
  private static final GroupId GROUP = new GroupId("job", "wave");

  @TempDir Path root;

  private final List<String> received = new ArrayList<>();
  private final Queue<Runnable> held = new ArrayDeque<>();
  private Consumer<Runnable> storing = Runnable::run;
  private LocalStore store;
  private GroupHost host;

  @BeforeEach
  void open() throws IOException {
    store = LocalStore.open(root, Durability.PROCESS);
    host =
        CallersThread.hosts(store, () -> 0, task -> storing.accept(task))
            .host(GROUP, 2, (rank, name, message) -> received.add(name + " " + text(message)));
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private static String text(CoordinatorMessage message) {
    return message instanceof CoordinatorMessage.Joined joined
        ? "joined epoch " + joined.epoch()
        : message.getClass().getSimpleName();
  }

  private List<String> join(int rank, int size, String name) throws IOException {
    received.clear();
    host.on(new MemberMessage.Join(rank, size, name, new Origin(GroupBirth.of(store, GROUP), 0)));
    return List.copyOf(received);
  }

  private void leave(int rank, String name) {
    host.on(new MemberMessage.Withdraw(rank, name, false));
  }

  @Test
  void anotherSizeIsRefusedUntilAllRanksHaveLeft() throws IOException {
    assertThat(join(0, 2, "a")).isEmpty();
    assertThat(join(0, 1, "b")).containsExactly("b Refused");
    assertThat(join(1, 2, "c")).containsExactly("a joined epoch 1", "c joined epoch 1");
    assertThat(join(0, 1, "d")).containsExactly("d Refused");
    leave(0, "a");
    leave(1, "c");
    assertThat(join(0, 1, "e")).containsExactly("e joined epoch 2");
    leave(0, "e");
    assertThat(join(0, 3, "f")).isEmpty();
    assertThat(join(2, 3, "g")).isEmpty();
    assertThat(join(1, 3, "h")).hasSize(3).contains("h joined epoch 3");
  }

  private List<String> answers() {
    received.clear();
    for (Runnable task = held.poll(); task != null; task = held.poll()) {
      task.run();
    }
    return List.copyOf(received);
  }

  /** The answer to the claim would begin an epoch of the new size, and that to the next another. */
  @Test
  void anotherSizeIsRefusedWhileAnEpochIsClaimed() throws IOException {
    storing = held::add;
    join(0, 2, "a");
    join(1, 2, "b");
    assertThat(held).hasSize(1);
    host.on(new MemberMessage.Withdraw(0, "a", true));
    host.on(new MemberMessage.Withdraw(1, "b", true));
    assertThat(join(0, 3, "c")).containsExactly("c Refused");
    assertThat(answers()).isEmpty();

    assertThat(join(0, 3, "d")).isEmpty();
    assertThat(join(1, 3, "e")).isEmpty();
    assertThat(join(2, 3, "f")).isEmpty();
    assertThat(answers())
        .containsExactly("d joined epoch 2", "e joined epoch 2", "f joined epoch 2");
    assertThat(answers()).isEmpty();
  }

  @Test
  void aJoinThatArrivesAgainDoesNotChangeTheSize() throws IOException {
    join(0, 2, "a");
    join(1, 2, "b");
    leave(0, "a");
    leave(1, "b");
    join(0, 1, "c");
    leave(0, "c");
    assertThat(join(0, 2, "a")).containsExactly("a Refused");
    assertThat(join(0, 1, "d")).containsExactly("d joined epoch 3");
  }
}
