package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class MachineSocketTest {
  @TempDir Path directory;

  @Test
  void servesOnAfterAConnectionThatFailed() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch served = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    MachineSocket.Accepting accepting =
        () -> {
          int call = calls.incrementAndGet();
          if (call == 1) {
            throw new IOException("Too many open files");
          } else if (call == 2) {
            return SocketChannel.open();
          }
          ended.countDown();
          throw new ClosedChannelException();
        };
    try (MachineSocket socket = MachineSocket.open(directory.resolve("peers"), 0)) {
      socket.serve(
          accepting,
          connection -> {
            served.countDown();
            close(connection);
          });
      assertThat(served.await(20, TimeUnit.SECONDS)).as("served").isTrue();
      assertThat(ended.await(20, TimeUnit.SECONDS)).as("asked again").isTrue();
    }
    assertThat(calls).as("calls; none after the end").hasValue(3);
  }

  private static void close(SocketChannel connection) {
    try {
      connection.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
