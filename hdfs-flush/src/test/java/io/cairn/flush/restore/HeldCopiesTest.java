package io.cairn.flush.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.RestoreReport.Attempt;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.HeldBytes;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.HeldReader;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.SampleRank;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
      new RestorePlanner(List.of(new Held(), new StoreCopies(store, Level.STORE)));

  /** The copy on the device, with the images of the store's. */
  private final class Held implements CopySource {
    private final StoreCopies below = new StoreCopies(store, Level.STORE);

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
          .map(copy -> new Copy(describe(), copy.images(), copy.program(), reader, copy));
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

  /** A copy is compared again when it is used. */
  @Test
  void aChunkThatWentBadMeanwhileIsNotHeld() throws IOException {
    try (VerifiedCopy copy = verified()) {
      sample.contents().get(0)[0]++;

      assertThat(held(copy)).containsExactly(false, true);
    }
  }
}
