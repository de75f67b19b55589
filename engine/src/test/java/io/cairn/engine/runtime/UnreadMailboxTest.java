package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.engine.coordination.Coordination;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rank that ends before it reads of its group's seals, as after a failure of a barrier stage. */
@Timeout(60)
class UnreadMailboxTest {
  private static final String[] NODE_ONLY = {
    "node.every", "2", "store.every", "1000", "closeTimeout", "2s"
  };

  @TempDir Path root;

  /** Delivers what the coordinator sends until it is told to keep the rest. */
  private static final class Mailbox implements Coordination {
    private final Coordination below;
    private volatile boolean unread;

    Mailbox(Coordination below) {
      this.below = below;
    }

    @Override
    public Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
      return below.connect(
          member,
          incarnation,
          message -> {
            if (!unread) {
              inbox.accept(message);
            }
          });
    }
  }

  @Test
  void itsCopiesAtNodeStayForTheGroup() throws Exception {
    try (Ranks ranks = new Ranks(root, 2, NODE_ONLY)) {
      Mailbox mailbox = new Mailbox(ranks.coordination());
      ranks.cairn(1).coordinateCoupledGroups(mailbox);
      CompletableFuture<Boolean> sealed = new CompletableFuture<>();
      Future<Boolean> first =
          ranks.start(0, (rank, checkpointer) -> sealed.complete(sealsNode(rank, checkpointer)));
      Future<Boolean> second =
          ranks.start(1, (rank, checkpointer) -> endsUnread(rank, checkpointer, mailbox, sealed));

      assertThat(Ranks.result(first)).isTrue();
      assertThat(Ranks.result(second)).isTrue();
    }

    try (Ranks ranks = new Ranks(root, 2, NODE_ONLY)) {
      assertThat(ranks.each((rank, checkpointer) -> resume(rank, checkpointer)))
          .containsOnly("e1-i2 at NODE");
    }
  }

  private static boolean sealsNode(int rank, Checkpointer checkpointer) {
    Toy toy = Ranks.toy(rank);
    toy.protectBy(checkpointer);
    return toy.run(checkpointer, 0, 3).sealed(Level.NODE).join() instanceof Outcome.Sealed;
  }

  /** Computes the same, but reads nothing of the last checkpoint and is cancelled. */
  private static boolean endsUnread(
      int rank, Checkpointer checkpointer, Mailbox mailbox, CompletableFuture<Boolean> sealed) {
    Toy toy = Ranks.toy(rank);
    toy.protectBy(checkpointer);
    toy.run(checkpointer, 0, 2).sealed(Level.DEVICE).join();
    mailbox.unread = true;
    toy.run(checkpointer, 2, 3);
    boolean sealedByGroup = sealed.join();
    Thread.currentThread().interrupt();
    return sealedByGroup;
  }

  private static String resume(int rank, Checkpointer checkpointer) {
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    RestoreReport report = checkpointer.restore().orElseThrow();
    assertThat(toy).isEqualTo(Ranks.undisturbed(rank, report.id().iteration() + 1));
    return report.id().label() + " at " + report.level();
  }
}
