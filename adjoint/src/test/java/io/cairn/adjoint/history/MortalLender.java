package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.adjoint.history.LoanMessage.Borrow;
import io.cairn.adjoint.history.LoanMessage.Kept;
import io.cairn.adjoint.history.LoanMessage.Lent;
import io.cairn.adjoint.history.LoanMessage.Recall;
import io.cairn.adjoint.history.LoanMessage.Report;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A process that lends, as far as its messages show. It dies at a call, and what lay in its memory
 * is garbage then. Memory that came back has a pattern that nobody may write over.
 */
final class MortalLender implements AutoCloseable {
  private static final int CHUNK = 4096;
  private static final int CHUNKS = 40;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Path directory;
  private final DeviceMemory device;
  private final SplittableRandom random;
  private final byte[] pattern = new byte[CHUNKS * CHUNK];
  private long life;
  private long number;
  private boolean alive;
  private @Nullable LoanSocket socket;
  private @Nullable DeviceAddress memory;
  private @Nullable LoanChannel loan;

  /** Not born yet. */
  MortalLender(Path directory, DeviceMemory device, long seed) {
    this.directory = directory;
    this.device = device;
    random = new SplittableRandom(seed);
    Arrays.fill(pattern, (byte) 0x5A);
  }

  /** Begins a life, with memory that nobody has. */
  synchronized void live() throws IOException {
    if (alive) {
      return;
    }
    alive = true;
    life = random.nextLong();
    memory = device.allocate(pattern.length);
    fill(pattern);
    LoanSocket next = LoanSocket.open(directory, 1);
    next.serve(this::serve);
    socket = next;
  }

  /** Ends a life: the kernel closes all connections, and the memory is gone. */
  synchronized void die() throws IOException {
    if (!alive) {
      return;
    }
    alive = false;
    if (loan != null) {
      loan.close();
      loan = null;
      byte[] garbage = new byte[pattern.length];
      for (int i = 0; i < garbage.length; i++) {
        garbage[i] = (byte) random.nextInt();
      }
      fill(garbage);
    }
    socket().close();
  }

  /** Says that it has chunks to spare. */
  void report() {
    try {
      send();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void send() throws IOException {
    Report report;
    synchronized (this) {
      if (!alive) {
        return;
      }
      report = new Report(1, life, ++number, true, CHUNK, loan == null ? CHUNKS : 0);
    }
    try (LoanChannel channel = socket().connect(0)) {
      channel.send(report);
      channel.receive(Report.class, PATIENCE);
    }
  }

  /** Wants its memory back. */
  synchronized void recall() {
    if (loan != null) {
      try {
        loan.send(new Recall());
      } catch (IOException e) { // the borrower gives it back at this moment
        loan.close();
      }
    }
  }

  private synchronized LoanSocket socket() {
    return Objects.requireNonNull(socket);
  }

  private synchronized DeviceAddress memory() {
    return Objects.requireNonNull(memory);
  }

  private void fill(byte[] bytes) throws IOException {
    device.copyAndChecksumAsync(HostMemory.of(bytes), 0, memory()).awaitLanding();
  }

  private void serve(SocketChannel accepted) {
    try (LoanChannel channel = new LoanChannel(accepted)) {
      LoanMessage first = channel.receive(LoanMessage.class, PATIENCE);
      if (first instanceof Borrow borrow) {
        lend(channel, borrow);
      } else {
        channel.send(new Report(1, life, 0, false, 0, 0));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void lend(LoanChannel channel, Borrow request) throws IOException {
    synchronized (this) {
      if (!alive || loan != null) {
        channel.send(new Lent(List.of(), List.of()));
        return;
      }
      loan = channel;
      int chunks = Math.min(request.most(), CHUNKS);
      channel.send(new Lent(List.of(device.export(memory())), List.of(new LentSpan(0, 0, chunks))));
    }
    awaitEnd(channel);
    synchronized (this) {
      if (loan == channel) {
        loan = null;
        fill(pattern);
      }
    }
  }

  private static void awaitEnd(LoanChannel channel) {
    try {
      while (channel.receive() instanceof Kept) {
        Thread.onSpinWait();
      }
    } catch (IOException e) { // it died, or its borrower reset the connection
      channel.awaitEnd();
    }
  }

  /** Checks that nobody wrote to memory that was not lent. */
  synchronized void check() throws IOException {
    if (alive && loan == null) {
      ByteBuffer found = ByteBuffer.allocate(pattern.length);
      device.copyToHostAsync(memory(), found).awaitLanding();
      assertThat(found.array()).as("memory that nobody borrows").isEqualTo(pattern);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    check();
    if (alive) {
      socket().close();
      alive = false;
    }
  }
}
