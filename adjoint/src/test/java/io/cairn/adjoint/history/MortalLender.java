package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.peer.PeerService;
import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.Message;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerReply.Greeting;
import io.cairn.core.wire.PeerReply.Vacated;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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

  private final Member self;
  private final Path directory;
  private final DeviceMemory device;
  private final SplittableRandom random;
  private final byte[] pattern = new byte[CHUNKS * CHUNK];
  private String life = "";
  private long reports;
  private boolean alive;
  private @Nullable MeetingPlace place;
  private @Nullable DeviceAddress memory;
  private @Nullable LeaseId lease;

  /** Not born yet, the second of two. */
  MortalLender(Path directory, DeviceMemory device, long seed) {
    this(directory, device, 1, 2, seed);
  }

  /** Not born yet, with a number among so many processes. */
  MortalLender(Path directory, DeviceMemory device, int number, int processes, long seed) {
    self = new Member(new GroupId("mortal", "lender"), number, processes);
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
    place = MeetingPlace.open(directory, self.rank(), new Service(), PATIENCE);
    place.announce();
  }

  /**
   * Ends a life: the kernel frees all locks, and the memory is gone.
   *
   * @return whether anybody had borrowed of it
   */
  boolean die() throws IOException {
    if (!end()) {
      return false;
    }
    place().close(); // waits for answers that are given now
    return corrupt();
  }

  private synchronized boolean end() {
    boolean lived = alive;
    alive = false;
    return lived;
  }

  private synchronized boolean corrupt() throws IOException {
    boolean borrowed = lease != null;
    if (borrowed) {
      lease = null;
      byte[] garbage = new byte[pattern.length];
      for (int i = 0; i < garbage.length; i++) {
        garbage[i] = (byte) random.nextInt();
      }
      fill(garbage);
    }
    return borrowed;
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
      report = Reports.report(self, life, ++reports, CHUNK, lease == null ? CHUNKS : 0);
    }
    try (MachineProcess borrower = place().find(0)) {
      var unused = borrower.ask(new PeerRequest.Desk(report), PeerRequest.Desk.class);
    }
  }

  /** Wants its memory back. */
  void recall() throws IOException {
    LeaseId asked;
    synchronized (this) {
      asked = lease;
    }
    if (asked != null) {
      try (MachineProcess borrower = place().find(0)) {
        var unused = borrower.send(new PeerRequest.Vacate(asked), Vacated.class);
      }
    }
  }

  private synchronized MeetingPlace place() {
    return Objects.requireNonNull(place);
  }

  private synchronized DeviceAddress memory() {
    return Objects.requireNonNull(memory);
  }

  private void fill(byte[] bytes) throws IOException {
    device.copyAndChecksumAsync(HostMemory.of(bytes), 0, memory()).awaitLanding();
  }

  private final class Service implements PeerService {
    @Override
    public CompletionStage<byte[]> answer(byte[] question) {
      try {
        Message answer = MortalLender.this.answer(Wire.decode(question, PeerRequest.class));
        return CompletableFuture.completedFuture(Wire.encode(answer));
      } catch (IOException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
  }

  private synchronized Message answer(PeerRequest request) throws IOException {
    if (request instanceof PeerRequest.Greet) {
      return greeting();
    } else if (request instanceof PeerRequest.Desk) {
      return new PeerRequest.Desk(Reports.report(self, life, 0, 1, 0));
    } else if (request instanceof PeerRequest.Lease asked
        && asked.request() instanceof LeaseRequest.Acquire acquire) {
      return new PeerReply.Leased(lend(acquire));
    } else if (request instanceof PeerRequest.Lease asked
        && asked.request() instanceof LeaseRequest.Release release) {
      if (release.id().equals(lease)) {
        lease = null;
        fill(pattern);
      }
      return new PeerReply.Leased(new LeaseAnswer.Released(release.id()));
    }
    throw new AssertionError(request);
  }

  private LeaseAnswer lend(LeaseRequest.Acquire request) {
    if (!alive || lease != null) {
      return new LeaseAnswer.Refused(request.id(), "not now");
    }
    lease = request.id();
    List<Integer> slots = IntStream.range(0, Math.min(request.chunks(), CHUNKS)).boxed().toList();
    return new LeaseAnswer.Granted(request.id(), slots, 1);
  }

  private Greeting greeting() {
    SlotExport all = new SlotExport(0, CHUNKS, device.export(memory()));
    return new Greeting(life, "", CHUNK, List.of(all.toMessage()));
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
  public void close() throws IOException {
    check();
    if (end()) {
      place().close();
    }
  }
}
