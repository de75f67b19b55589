package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Layout;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import io.cairn.core.model.StagingBuffer;
import io.cairn.engine.config.ResumePolicy;
import io.cairn.engine.session.Examiner.Examined;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Holding;
import io.cairn.flush.restore.Landing;
import io.cairn.flush.restore.RestorePlanner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A rank whose nearest copy vanishes between two looks. */
class ExaminerTest {
  private static final int BYTES = 16;
  private static final Member MEMBER = new Member(new GroupId("job", "run"), 0, 2);
  private static final CheckpointId ID = new CheckpointId(MEMBER.group(), 1, 7);

  private final DelayedDevice device = new DelayedDevice(4096, 1);
  private final float[] weights = {1, 1, 1, 1};

  @AfterEach
  void close() {
    device.close();
  }

  /** The four elements from one on, of eight. */
  private ProtectedRegions regions(long first, float[] memory) {
    ProtectedRegions regions = new ProtectedRegions(device, 64);
    regions.protect(
        Region.of("weights", memory),
        RegionOptions.DEFAULT.withLayout(
            Layout.slice(new long[] {8}, new long[] {first}, new long[] {4})));
    return regions;
  }

  private Examined examine(Zeros... nearestFirst) {
    return new Examiner(
            MEMBER,
            regions(0, weights),
            new Start("", "run", ResumePolicy.AUTO, true, Set.of()),
            Landing.NONE)
        .examine(new RestorePlanner(List.of(nearestFirst)), ID, MEMBER.size(), new StagingBuffer());
  }

  @Test
  void anotherSliceOfTheSameLengthIsNotTaken() {
    Zeros silent = new Zeros(Level.NODE, Fingerprint.NONE, 1);
    Zeros other = new Zeros(Level.STORE, regions(4, new float[4]).program(), 9);

    assertThatThrownBy(() -> examine(silent, other))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("its copies name different slices");
    assertThat(weights).containsOnly(1);
    assertThat(other.open).isZero();
  }

  @Test
  void theSameSliceIsTaken() throws Exception {
    Zeros silent = new Zeros(Level.NODE, Fingerprint.NONE, 1);
    Zeros same = new Zeros(Level.STORE, regions(0, new float[4]).program(), 9);

    if (examine(silent, same) instanceof Examined.Good good) {
      assertThat(good.restore()).isEqualTo(BYTES);
      good.close();
    }
    assertThat(weights).containsOnly(0);
    assertThat(same.open).isZero();
  }

  /** Has a copy of zeros, for a number of looks. */
  private static final class Zeros implements CopySource {
    private final Level level;
    private final Fingerprint program;
    private int looks;
    private int open;

    Zeros(Level level, Fingerprint program, int looks) {
      this.level = level;
      this.program = program;
      this.looks = looks;
    }

    @Override
    public Level level() {
      return level;
    }

    @Override
    public String describe() {
      return "zeros";
    }

    @Override
    public Map<CheckpointId, Holding> holdings(Member member) {
      return Map.of();
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) {
      if (looks == 0) {
        return Optional.empty();
      }
      looks--;
      open++;
      CRC32C crc = new CRC32C();
      crc.update(new byte[BYTES]);
      return Optional.of(
          new Copy(
              "zeros",
              List.of(new RegionImage("weights", BYTES, 64, new int[] {(int) crc.getValue()})),
              program,
              (region, chunk, into) -> into.put(new byte[BYTES]),
              () -> open--));
    }
  }
}
