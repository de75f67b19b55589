package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerReply.Greeting;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A process that lends, as far as its messages show. It dies at a call, and what lay in its memory
 * is garbage then. Memory that came back has a pattern that nobody may write over.
 */
final class MortalLender implements AutoCloseable {
  private static final int CHUNK = 4096;
  private static final int CHUNKS = 40;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Member SELF = new Member(new GroupId("mortal", "lender"), 1, 2);

  private final Path directory;
  private final DeviceMemory device;
  private final SplittableRandom random;
  private final byte[] pattern = new byte[CHUNKS * CHUNK];
  private String life = "";
  private long number;
  private boolean alive;
  private @Nullable MachineSocket socket;
  private @Nullable DeviceAddress memory;
  private @Nullable MachineChannel lease;
  private @Nullable LeaseId leased;

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
    life = "life " + random.nextLong();
    memory = device.allocate(pattern.length);
    fill(pattern);
    MachineSocket next = MachineSocket.open(directory, 1);
    next.serve(this::serve);
    socket = next;
  }

  /** Ends a life: the kernel closes all connections, and the memory is gone. */
  synchronized void die() throws IOException {
    if (!alive) {
      return;
    }
    alive = false;
    if (lease != null) {
      lease.close();
      lease = null;
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
      report = Reports.report(SELF, life, ++number, CHUNK, lease == null ? CHUNKS : 0);
    }
    try (MachineChannel channel = socket().connect(0)) {
      channel.send(Wire.encode(new PeerRequest.Desk(report)));
      channel.receive(PATIENCE);
    }
  }

  /** Wants its memory back. */
  synchronized void recall() {
    if (lease != null && leased != null) {
      try {
        lease.send(Wire.encode(new PeerRequest.Vacate(leased)));
      } catch (IOException e) { // the borrower gives it back at this moment
        lease.close();
      }
    }
  }

  private synchronized MachineSocket socket() {
    return Objects.requireNonNull(socket);
  }

  private synchronized DeviceAddress memory() {
    return Objects.requireNonNull(memory);
  }

  private void fill(byte[] bytes) throws IOException {
    device.copyAndChecksumAsync(HostMemory.of(bytes), 0, memory()).awaitLanding();
  }

  private void serve(SocketChannel accepted) {
    try (MachineChannel channel = new MachineChannel(accepted)) {
      PeerRequest first = Wire.decode(channel.receive(PATIENCE), PeerRequest.class);
      if (first instanceof PeerRequest.Greet) {
        channel.send(Wire.encode(greeting()));
        byte[] next = channel.receive();
        if (next != null
            && Wire.decode(next, PeerRequest.class) instanceof PeerRequest.Lease request
            && request.request() instanceof LeaseRequest.Acquire acquire) {
          lend(channel, acquire);
        }
      } else {
        Report none = Reports.report(SELF, life, 0, 1, 0);
        channel.send(Wire.encode(new PeerRequest.Desk(none)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Greeting greeting() {
    SlotExport all = new SlotExport(0, CHUNKS, device.export(memory()));
    return new Greeting("", "", CHUNK, List.of(all.toMessage()));
  }

  private void lend(MachineChannel channel, LeaseRequest.Acquire request) throws IOException {
    synchronized (this) {
      if (!alive || lease != null) {
        answer(channel, new LeaseAnswer.Refused(request.id(), "not now"));
        return;
      }
      lease = channel;
      leased = request.id();
      List<Integer> slots = IntStream.range(0, Math.min(request.chunks(), CHUNKS)).boxed().toList();
      answer(channel, new LeaseAnswer.Granted(request.id(), slots, 1));
    }
    awaitEnd(channel);
    synchronized (this) {
      if (lease == channel) {
        lease = null;
        fill(pattern);
      }
    }
  }

  private static void answer(MachineChannel channel, LeaseAnswer answer) throws IOException {
    channel.send(Wire.encode(new PeerReply.Leased(answer)));
  }

  private static void awaitEnd(MachineChannel channel) {
    try {
      for (byte[] next = channel.receive(); next != null; next = channel.receive()) {
        assertThat(Wire.decode(next, PeerReply.class)).isEqualTo(new PeerReply.Vacated(false));
      }
    } catch (IOException e) { // it died, or its borrower reset the connection
      var unused = channel.awaitEnd();
    }
  }

  /** Checks that nobody wrote to memory that was not lent. */
  synchronized void check() throws IOException {
    if (alive && lease == null) {
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
