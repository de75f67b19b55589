package io.cairn.flush.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.RestoreReport.Attempt;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.HeldBytes;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.HeldReader;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.SampleRank;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies in memory of a device that computes: only their checksums pass to the host. */
class HeldCopiesTest {
  private static final Member MEMBER = new Member(Written.GROUP, 0, 1);
  private static final CheckpointId ID = Written.id(2, 20);

  private final MemoryStore store = new MemoryStore("store");
  private final SampleRank sample = Written.sample(ID, MEMBER.rank());
  private final HeldReader reader = new HeldReader(sample);
  private final RestorePlanner planner =
      new RestorePlanner(List.of(new Held(reader), new StoreCopies(store, Level.STORE)));

  /** The copy on the device, with the images of the store's. */
  private final class Held implements CopySource {
    private final StoreCopies below = new StoreCopies(store, Level.STORE);
    private final ChunkReader chunks;

    Held(ChunkReader chunks) {
      this.chunks = chunks;
    }

    @Override
    public Level level() {
      return Level.DEVICE;
    }

    @Override
    public String describe() {
      return "a device";
    }

    @Override
    public Map<CheckpointId, Holding> holdings(Member member) throws IOException {
      return below.holdings(member);
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
      return below
          .open(id, rank)
          .map(copy -> new Copy(describe(), copy.images(), copy.program(), chunks, copy));
    }
  }

  @BeforeEach
  void seal() throws IOException {
    Written.sealed(store, ID, 1, Ancestry.NONE);
  }

  private VerifiedCopy verified() throws IOException {
    return (VerifiedCopy) planner.verify(ID, MEMBER, new StagingBuffer());
  }

  private static List<Boolean> held(VerifiedCopy copy) throws IOException {
    try (HeldBytes first = copy.readers().get(0).held(0, 0).orElse(null)) {
      return List.of(first != null, copy.readers().get(0).held(0, 1).isPresent());
    }
  }

  /** The reader fails the test when the host reads a chunk. */
  @Test
  void theDeviceVerifiesWhatItHolds() throws IOException {
    try (VerifiedCopy copy = verified()) {
      assertThat(copy.level()).isEqualTo(Level.DEVICE);
      assertThat(copy.attempts()).containsExactly(new Attempt(ID, Level.DEVICE, ""));
      assertThat(reader.open()).as("chunks in use").isZero();
      assertThat(held(copy)).containsExactly(true, true);
    }
  }

  @Test
  void aBadChunkComesFromTheNextCopy() throws IOException {
    sample.contents().get(0)[40]++;

    try (VerifiedCopy copy = verified()) {
      assertThat(copy.level()).isEqualTo(Level.STORE);
      assertThat(copy.attempts()).hasSize(2);
      assertThat(copy.attempts().get(0).refusal())
          .startsWith("1 of 6 chunks bad, the first: a device: region r0, chunk 1 of 4 has CRC32C");
      assertThat(reader.open()).as("chunks in use").isZero();
      assertThat(held(copy)).containsExactly(true, false);
    }
  }

  @Test
  void whatADeadDeviceHoldsComesFromTheNextCopy() throws IOException {
    reader.die();

    try (VerifiedCopy copy = verified()) {
      assertThat(copy.level()).isEqualTo(Level.STORE);
      assertThat(copy.attempts().get(0).refusal())
          .isEqualTo(
              "6 of 6 chunks bad, the first: java.io.IOException: the device does not answer");
      assertThat(reader.open()).as("chunks in use").isZero();
    }
  }

  /** A reader without it gets its chunks through pageable memory, which a GPU fills slowly. */
  @Test
  void theNearestCopyLendsItsBuffers() throws IOException {
    try (VerifiedCopy copy = verified();
        MappedBytes lent = copy.readers().get(0).staging(32).orElseThrow()) {
      assertThat(lent.buffer().capacity()).isEqualTo(32);
    }
  }

  /** The first read hangs, and the others find the device dead. */
  private static final class Hanging implements ChunkReader {
    private boolean dead;

    @Override
    public void read(int region, int chunk, ByteBuffer into) throws IOException {
      throw new IOException("the device is dead");
    }

    @Override
    public Reading start(int region, int chunk, ByteBuffer into) throws IOException {
      if (dead) {
        read(region, chunk, into);
      }
      dead = true;
      return new Reading() {
        @Override
        public boolean isDone() {
          return false;
        }

        @Override
        public void await() throws IOException {
          throw new IOException("the device does not answer");
        }
      };
    }
  }

  /** A later try reads the other copies into buffers that no device writes. */
  @Test
  void aBufferThatADeviceMayStillWriteIsNotUsedAgain() throws IOException {
    RestorePlanner hung =
        new RestorePlanner(List.of(new Held(new Hanging()), new StoreCopies(store, Level.STORE)));

    Verification first = hung.verify(ID, MEMBER, new StagingBuffer());

    assertThat(first)
        .asInstanceOf(type(Verification.Refused.class))
        .matches(Verification.Refused::retryable)
        .matches(refused -> refused.reason().contains("may still write to the buffer"));
    try (VerifiedCopy second = (VerifiedCopy) hung.verify(ID, MEMBER, new StagingBuffer())) {
      assertThat(second.level()).isEqualTo(Level.STORE);
    }
  }

  /** The first copy is refused by its device, the second hangs, and the third is good. */
  @Test
  void aReadThatHangsAfterAnotherFailedKeepsItsBuffer() throws IOException {
    boolean[] ended = {false};
    CopyChain chain = new CopyChain(ID, MEMBER.rank());
    chain.add(new Held(new Failing(() -> true)), new CopyHealth());
    chain.add(new Held(new Failing(() -> ended[0])), new CopyHealth());
    chain.add(new StoreCopies(store, Level.STORE), new CopyHealth());
    try (chain) {
      assertThat(chain.open()).isTrue();
      ByteBuffer into = ByteBuffer.allocate(chain.images().get(0).chunkLength(0));

      ChunkReader.Reading reading = chain.start(0, 0, into);

      for (int time = 0; time < 2; time++) {
        assertThatIOException()
            .isThrownBy(reading::await)
            .withMessageContaining("may still write to the buffer");
        assertThat(reading.isDone()).isFalse();
        assertThat(into.position()).as("bytes of the good copy").isZero();
      }
      ended[0] = true;
      reading.await();
      assertThat(into.hasRemaining()).isFalse();
      assertThat(chain.level()).isEqualTo(Level.STORE);
    }
  }

  /** Each read fails; it has ended when this says so. */
  private record Failing(BooleanSupplier ended) implements ChunkReader {
    @Override
    public void read(int region, int chunk, ByteBuffer into) throws IOException {
      start(region, chunk, into).await();
    }

    @Override
    public Reading start(int region, int chunk, ByteBuffer into) {
      return new Reading() {
        @Override
        public boolean isDone() {
          return ended.getAsBoolean();
        }

        @Override
        public void await() throws IOException {
          throw new IOException("the device does not answer");
        }
      };
    }
  }

  /** A copy is compared again when it is used. */
  @Test
  void aChunkThatWentBadMeanwhileIsNotHeld() throws IOException {
    try (VerifiedCopy copy = verified()) {
      sample.contents().get(0)[0]++;

      assertThat(held(copy)).containsExactly(false, true);
    }
  }
}
