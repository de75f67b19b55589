package io.cairn.flush.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.MemoryStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A verification that ends by an exception leaves no copy open. */
class ClosedCopiesTest {
  private static final Member MEMBER = new Member(Written.GROUP, 0, 1);
  private static final CheckpointId ID = Written.id(2, 20);
  private static final int LANES = 3;

  private final MemoryStore node = new MemoryStore("node");
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger opened = new AtomicInteger();

  @BeforeEach
  void seal() throws IOException {
    Written.sealed(node, ID, 1, Ancestry.NONE);
  }

  /** A source that counts its open copies. */
  private class Counted implements CopySource {
    private final StoreCopies copies = new StoreCopies(node, Level.NODE);

    @Override
    public Level level() {
      return copies.level();
    }

    @Override
    public String describe() {
      return copies.describe();
    }

    @Override
    public int lanes() {
      return LANES;
    }

    @Override
    public Map<CheckpointId, Holding> holdings(Member member) throws IOException {
      return copies.holdings(member);
    }

    /** The reader of a copy. */
    ChunkReader reader(Copy copy) {
      return copy.reader();
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
      Copy copy = copies.open(id, rank).orElseThrow();
      opened.incrementAndGet();
      open.incrementAndGet();
      return Optional.of(
          new Copy(
              copy.describe(),
              copy.images(),
              copy.program(),
              reader(copy),
              () -> {
                open.decrementAndGet();
                copy.close();
              }));
    }
  }

  private void verify(CopySource source, Landing landing) {
    Verification verification =
        new RestorePlanner(List.of(source), 1).verify(ID, MEMBER, new StagingBuffer(), landing);
    throw new AssertionError("verified: " + verification);
  }

  @Test
  void afterAReaderFails() {
    Counted failing =
        new Counted() {
          @Override
          ChunkReader reader(Copy copy) {
            return (region, chunk, into) -> {
              throw new IllegalStateException("a defect of a reader");
            };
          }
        };

    assertThatThrownBy(() -> verify(failing, Landing.NONE)).hasMessageContaining("a defect");

    assertThat(opened).hasValue(LANES);
    assertThat(open).hasValue(0);
  }

  @Test
  void afterAFurtherLaneFailsToOpen() {
    Counted failing =
        new Counted() {
          @Override
          public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
            if (opened.get() == LANES - 1) {
              throw new IllegalStateException("a defect of a source");
            }
            return super.open(id, rank);
          }
        };

    assertThatThrownBy(() -> verify(failing, Landing.NONE)).hasMessageContaining("a defect");

    assertThat(opened).hasValue(LANES - 1);
    assertThat(open).hasValue(0);
  }

  @Test
  void afterTheMemoryIsRefused() {
    Landing failing =
        images -> {
          throw new IllegalStateException("a defect of a cache");
        };

    assertThatThrownBy(() -> verify(new Counted(), failing)).hasMessageContaining("a defect");

    assertThat(opened).hasValue(1);
    assertThat(open).hasValue(0);
  }
}
