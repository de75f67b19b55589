package io.cairn.engine.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Holding;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Copies of one checkpoint for several threads. */
class OpenCopiesTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "run"), 1, 2);

  /** The samples that it opens, one after the other; then it has none. */
  private final Queue<SampleRank> next = new ArrayDeque<>();

  private int open;

  private final CopySource source =
      new CopySource() {
        @Override
        public Level level() {
          return Level.NODE;
        }

        @Override
        public String describe() {
          return "the disk";
        }

        @Override
        public Map<CheckpointId, Holding> holdings(Member member) {
          return Map.of();
        }

        @Override
        public Optional<Copy> open(CheckpointId id, int rank) {
          return Optional.ofNullable(next.poll()).map(sample -> copy(sample));
        }
      };

  private Copy copy(SampleRank sample) {
    open++;
    return new Copy("disk", sample.images(), Fingerprint.NONE, sample.reader(), () -> open--);
  }

  @Test
  void eachThreadHasACopyAndAllAreClosed() throws IOException {
    next.addAll(List.of(SampleRank.small(0, 1), SampleRank.small(0, 1), SampleRank.small(0, 1)));

    try (OpenCopies copies = OpenCopies.open(source, ID, 0, 3).orElseThrow()) {
      assertThat(copies.readers()).hasSize(3);
      assertThat(open).isEqualTo(3);
    }
    assertThat(open).isZero();
    assertThat(OpenCopies.open(source, ID, 0, 3)).isEmpty();
  }

  @Test
  void aCopyThatIsReplacedMeanwhileIsNotMixed() {
    next.addAll(List.of(SampleRank.small(0, 1), SampleRank.small(0, 2)));

    assertThatThrownBy(() -> OpenCopies.open(source, ID, 0, 2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("of the disk was replaced or deleted while it was opened");
    assertThat(open).isZero();
  }

  @Test
  void aCopyThatIsDeletedMeanwhileIsNotUsed() {
    next.add(SampleRank.small(0, 1));

    assertThatThrownBy(() -> OpenCopies.open(source, ID, 0, 2)).isInstanceOf(IOException.class);
    assertThat(open).isZero();
  }
}
