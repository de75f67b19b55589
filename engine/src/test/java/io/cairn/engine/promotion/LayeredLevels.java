package io.cairn.engine.promotion;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.cache.chunk.CapturedChunks;
import io.cairn.cache.chunk.Pin;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import io.cairn.engine.sharing.borrower.Leases;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.restore.Copy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checkpoints of made-up content on their way to the levels below DEVICE. */
final class LayeredLevels {
  private LayeredLevels() {}

  private record Captured(SampleRank sample) implements CapturedChunks {
    @Override
    public List<RegionImage> images() {
      return sample.images();
    }

    @Override
    public Optional<Pin> pin() {
      return Optional.empty();
    }

    @Override
    public ChunkReader reader() {
      return sample.reader();
    }
  }

  static Promoted promoted(Member member, CheckpointId id, SampleRank sample, Level... due) {
    return new Promoted(
        member,
        id,
        new Captured(sample),
        Leases.none(),
        Fingerprint.NONE,
        Map::of,
        Optional.empty(),
        Ancestry.NONE,
        Set.of(due),
        false,
        new SilentReporter());
  }

  /** As many copies as are asked for. */
  static NearestCopy nearest(SampleRank sample) {
    Copy copy = new Copy("regions", sample.images(), Fingerprint.NONE, sample.reader(), () -> {});
    return most -> new OpenCopies(Collections.nCopies(most, copy));
  }
}
