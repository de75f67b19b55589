package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An owner, and a real staging server that has another secret or another store. */
@Timeout(120)
class StagedProcessesTest {
  private static final String SECRET = "a secret of the job";

  @TempDir private Path root = Path.of("");

  private ChildProcess server(String store, MeetingPort port, String secret) throws IOException {
    ChildProcess server =
        Command.java(StagingMain.class, root.resolve(store), port.number(), secret, 0)
            .small(64)
            .withoutErrors()
            .start();
    server.await("serves");
    return server;
  }

  /** Seals one checkpoint at STORE; the containers that the server has written then. */
  private long train(ChildProcess server, MeetingPort port) throws IOException {
    try (CairnEngine owner =
            new Places(root)
                .open("staging", port.toString(), "secret", SECRET, "store.every", "2");
        Checkpointer rank = owner.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(rank);
      toy.step(0);
      CheckpointTicket ticket = rank.checkpoint(0);
      assertThat(ticket.sealed(Level.STORE).join()).isInstanceOf(Outcome.Sealed.class);
      server.send("how many");
      return Long.parseLong(server.await("written").split(" ", -1)[1]);
    }
  }

  @Test
  void aServerWithSecretAndStoreOfTheJobWrites() throws IOException {
    MeetingPort port = MeetingPort.free();
    try (ChildProcess server = server("store", port, SECRET)) {
      assertThat(train(server, port)).isEqualTo(1);
    }
  }

  @Test
  void anOwnerWritesItselfWhereTheSecretIsAnother() throws IOException {
    MeetingPort port = MeetingPort.free();
    try (ChildProcess server = server("store", port, "another secret, a wrong one")) {
      assertThat(train(server, port)).isZero();
    }
  }

  @Test
  void anOwnerWritesItselfWhereTheStoreIsAnother() throws IOException {
    MeetingPort port = MeetingPort.free();
    try (ChildProcess server = server("another-store", port, SECRET)) {
      assertThat(train(server, port)).isZero();
    }
  }
}
