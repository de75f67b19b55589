package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rank that waits for a group which never comes is ended as every process is. */
@Timeout(120)
class LonelyJoinTest {
  @TempDir Path root;

  /** Its kernel accepts connections, and nobody reads them. */
  @Test
  void terminationEndsAJoinThatNobodyAnswers() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ChildProcess joining =
            Command.java(LonelyJoin.class, root, "127.0.0.1:" + mute.getLocalPort())
                .small(64)
                .withoutErrors()
                .start()) {
      joining.await("joining");
      mute.accept().close();

      ChildProcess.signal("TERM", joining.pid());

      assertThat(joining.waitFor(ChildProcess.PATIENCE)).isTrue();
    }
  }

  /** Without nodes to serve, the join itself begins to host. */
  @Test
  void theCloseOfItsProcessEndsAJoin() throws Exception {
    MeetingPort port = MeetingPort.free();
    CairnEngine cairn = new Places(root).open("coordinator", port.toString(), "sharing", "off");
    CompletableFuture<Checkpointer> joining =
        CompletableFuture.supplyAsync(() -> cairn.join("run", 0, 2));
    port.awaitHost();

    cairn.close();

    assertThatThrownBy(() -> joining.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(CancellationException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void anInterruptEndsAJoin() throws Exception {
    MeetingPort port = MeetingPort.free();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (CairnEngine cairn =
        new Places(root).open("coordinator", port.toString(), "sharing", "off")) {
      Future<Checkpointer> joining = threads.submit(() -> cairn.join("run", 0, 2));
      port.awaitHost();

      threads.shutdownNow();

      assertThatThrownBy(() -> joining.get(60, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(InterruptedException.class);
    }
  }

  /** The other rank never comes. */
  @Test
  void terminationEndsAJoinThatWaitsForAnotherRank() throws Exception {
    try (ChildProcess joining =
        Command.java(LonelyJoin.class, root, MeetingPort.free())
            .small(64)
            .withoutErrors()
            .start()) {
      joining.await("joining");

      ChildProcess.signal("TERM", joining.pid());

      assertThat(joining.waitFor(ChildProcess.PATIENCE)).isTrue();
    }
  }
}
