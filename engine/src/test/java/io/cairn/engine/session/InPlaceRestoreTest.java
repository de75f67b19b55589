package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.model.RegionImage;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.session.Region;
import io.cairn.core.session.ResumePolicy;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Holding;
import io.cairn.flush.restore.Landing;
import io.cairn.flush.restore.RestorePlanner;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A region of two chunks, whose copies are played. */
class InPlaceRestoreTest {
  private static final int CHUNK_BYTES = 64;
  private static final GroupId GROUP = new GroupId("job", "run");
  private static final CheckpointId ID = new CheckpointId(GROUP, 1, 7);
  private static final byte SAVED = 5;
  private static final byte INITIAL = 1;

  private final DelayedDevice device = new DelayedDevice(4096, 1);
  private final byte[] weights = filled(2 * CHUNK_BYTES, INITIAL);

  @AfterEach
  void close() {
    device.close();
  }

  private static byte[] filled(int length, byte value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, value);
    return bytes;
  }

  private Examined examine(int ranks, Played... nearestFirst) {
    ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);
    regions.protect(Region.of("weights", weights));
    Member member = new Member(GROUP, 0, ranks);
    return new Examiner(
            member, regions, new Start("", "run", ResumePolicy.AUTO, Set.of()), Landing.NONE)
        .examine(new RestorePlanner(List.of(nearestFirst)), ID, ranks, new StagingBuffer());
  }

  private static Played good(Level level) {
    return new Played(level, SAVED, SAVED);
  }

  private static long restored(Examined examined) throws Exception {
    assertThat(examined).isInstanceOf(Examined.Good.class);
    try (Examined.Good good = (Examined.Good) examined) {
      return good.restore();
    }
  }

  @Test
  void eachChunkIsReadOnce() throws Exception {
    Played store = good(Level.STORE);

    assertThat(restored(examine(1, store))).isEqualTo(2 * CHUNK_BYTES);

    assertThat(weights).containsOnly(SAVED);
    assertThat(store.reads).isEqualTo(2);
    assertThat(store.open).isZero();
  }

  /** Another rank may refuse the checkpoint. */
  @Test
  void aRankOfALargerGroupWritesNothingBeforeTheVote() throws Exception {
    Examined examined = examine(2, good(Level.STORE));

    assertThat(weights).containsOnly(INITIAL);
    assertThat(restored(examined)).isEqualTo(2 * CHUNK_BYTES);
    assertThat(weights).containsOnly(SAVED);
  }

  @Test
  void aDamagedChunkIsTakenFromTheNextCopy() throws Exception {
    Examined examined =
        examine(1, new Played(Level.NODE, SAVED, INITIAL), new Played(Level.STORE, SAVED, SAVED));

    assertThat(restored(examined)).isEqualTo(2 * CHUNK_BYTES);

    assertThat(weights).containsOnly(SAVED);
    assertThat(((Examined.Good) examined).level()).isEqualTo(Level.STORE);
  }

  /** The user must not train on from a mixture. */
  @Test
  void aRefusalSaysThatAPartWasOverwritten() {
    Played damaged = new Played(Level.STORE, SAVED, INITIAL);

    assertThat(examine(1, damaged))
        .isInstanceOfSatisfying(
            Examined.Refused.class,
            refused -> assertThat(refused.reason()).contains("in part overwritten"));

    assertThat(weights).contains(SAVED, INITIAL);
    assertThat(damaged.open).isZero();
  }

  @Test
  void aRefusalBeforeTheFirstReadSaysNothingOfTheKind() {
    assertThat(examine(1))
        .isInstanceOfSatisfying(
            Examined.Refused.class,
            refused -> assertThat(refused.reason()).doesNotContain("overwritten"));

    assertThat(weights).containsOnly(INITIAL);
  }

  /**
   * Has a copy whose chunks are filled with these bytes; those of the capture were {@link #SAVED}.
   */
  private static final class Played implements CopySource {
    private final Level level;
    private final byte[] chunks;
    private int reads;
    private int open;

    Played(Level level, byte... chunks) {
      this.level = level;
      this.chunks = chunks;
    }

    @Override
    public Level level() {
      return level;
    }

    @Override
    public String describe() {
      return "played";
    }

    @Override
    public Map<CheckpointId, Holding> holdings(Member member) {
      return Map.of();
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) {
      open++;
      CRC32C crc = new CRC32C();
      crc.update(filled(CHUNK_BYTES, SAVED));
      int saved = (int) crc.getValue();
      return Optional.of(
          new Copy(
              "played",
              List.of(
                  new RegionImage(
                      "weights", 2 * CHUNK_BYTES, CHUNK_BYTES, new int[] {saved, saved})),
              Fingerprint.NONE,
              (region, chunk, into) -> {
                reads++;
                into.put(filled(CHUNK_BYTES, chunks[chunk]));
              },
              () -> open--));
    }
  }
}
