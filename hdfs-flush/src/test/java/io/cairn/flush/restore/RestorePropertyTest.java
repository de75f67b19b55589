package io.cairn.flush.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Any chunks damaged in any of three copies. */
class RestorePropertyTest {
  private static final int CHUNKS = 6;
  private static final CheckpointId ID = Written.id(1, 1);

  @RepeatedTest(100)
  void aCheckpointVerifiesIfAndOnlyIfEachChunkHasAGoodCopy(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    List<CopySource> sources = new ArrayList<>();
    BitSet lost = new BitSet();
    lost.set(0, CHUNKS);
    for (Level level : List.of(Level.NODE, Level.PEER, Level.STORE)) {
      MemoryStore store = new MemoryStore(level.name());
      Written.sealed(store, ID, 1, Ancestry.NONE);
      BitSet bad = new BitSet();
      for (int chunk = 0; chunk < CHUNKS; chunk++) {
        if (random.nextInt(10) < 4) {
          bad.set(chunk);
          int at = chunk < 4 ? chunk * 32 : 100 + (chunk - 4) * 32;
          store.flip(
              StoreNames.file(ID, StoreNames.container(0)), 8L * (512 + at) + random.nextInt(8));
        }
      }
      lost.and(bad);
      sources.add(new StoreCopies(store, level));
    }
    Member member = new Member(Written.GROUP, 0, 1);
    Verification verification = new RestorePlanner(sources).verify(ID, member, new StagingBuffer());
    assertThat(verification instanceof VerifiedCopy).as("seed %d", seed).isEqualTo(lost.isEmpty());
    if (verification instanceof VerifiedCopy copy) {
      try (copy) {
        assertThat(SampleRank.readAll(copy.images(), copy.readers().get(0)))
            .as("seed %d", seed)
            .usingElementComparator(Arrays::compare)
            .isEqualTo(Written.sample(ID, 0).contents());
        int last = copy.attempts().size() - 1;
        assertThat(copy.attempts().get(last).used()).as("seed %d", seed).isTrue();
        assertThat(copy.attempts().get(last).level()).isEqualTo(copy.level());
      }
    }
  }
}
