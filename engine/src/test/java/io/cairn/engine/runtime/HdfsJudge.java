package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.HadoopStore;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/**
 * Compares what a {@link HdfsTraining} reported with what its store holds. A checkpoint that it
 * reported sealed is there, or as many newer ones as are kept. Every checkpoint with a manifest is
 * complete, verifies, and holds the state of its iteration.
 */
final class HdfsJudge {
  private static final GroupId GROUP = new GroupId("test", "run");
  private static final Member MEMBER = new Member(GROUP, 0, 1);

  private final URI uri;
  private final NavigableSet<CheckpointId> sealed = new TreeSet<>();
  private final StagingBuffer staging = new StagingBuffer();
  private int notSealed;
  private int reported;
  private int unfinished;

  /** The judge of the trainings of one store. */
  HdfsJudge(URI uri) {
    this.uri = uri;
  }

  /** The store that it reads. */
  URI store() {
    return uri;
  }

  /** Notes a checkpoint that was reported sealed, by its directory. */
  void noteSealed(String directory) {
    sealed.add(CheckpointId.parse(GROUP, directory).orElseThrow());
    reported++;
  }

  /** Notes a checkpoint that was reported as not sealed. */
  void noteNotSealed() {
    notSealed++;
  }

  /** Checkpoints that were reported as not sealed so far. */
  int notSealed() {
    return notSealed;
  }

  /** The iteration of the newest checkpoint that was reported sealed, -1 for none. */
  long newestSealed() {
    return sealed.isEmpty() ? -1 : sealed.last().iteration();
  }

  /** Directories without a manifest that were found so far. */
  int unfinished() {
    return unfinished;
  }

  /** Reads all of the store. Nobody may write there meanwhile. */
  void judge(String when) throws IOException {
    try (CheckpointStore store = open()) {
      Inventory.Listing listing = Inventory.list(store, GROUP);
      assertThat(listing.problems()).as(when).isEmpty();
      NavigableSet<CheckpointId> there = new TreeSet<>(listing.checkpoints().keySet());
      for (CheckpointId reported : sealed) {
        assertThat(there.contains(reported) || newer(there, reported) >= HdfsTraining.KEEP)
            .as("%s: %s, or %d newer ones, in %s", when, reported, HdfsTraining.KEEP, there)
            .isTrue();
      }
      sealed.removeIf(reported -> newer(there, reported) >= HdfsTraining.KEEP);
      RestorePlanner planner = new RestorePlanner(List.of(new StoreCopies(store, Level.STORE)));
      for (StoredCheckpoint stored : listing.checkpoints().values()) {
        requireStamped(planner.verify(stored.id(), MEMBER, staging), when);
      }
      unfinished += listing.unfinished().size();
    }
  }

  /**
   * Opens the store. Hadoop's client notices at its next call only that a connection is dead, and
   * with one NameNode that call fails. So after a restart the first call may be lost.
   */
  private CheckpointStore open() throws IOException {
    Configuration hadoop = new Configuration();
    try {
      return HadoopStore.openForReading(uri, hadoop);
    } catch (IOException e) {
      if (!(e.getCause() instanceof EOFException)) {
        throw e;
      }
      return HadoopStore.openForReading(uri, hadoop);
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d sealed, %d not sealed, %d directories without a manifest",
        reported,
        notSealed,
        unfinished);
  }

  private static long newer(NavigableSet<CheckpointId> there, CheckpointId reported) {
    return there.tailSet(reported, false).size();
  }

  private static void requireStamped(Verification verification, String when) throws IOException {
    assertThat(verification).as("%s: %s", when, verification).isInstanceOf(VerifiedCopy.class);
    try (VerifiedCopy copy = (VerifiedCopy) verification) {
      StampedState expected = StampedState.of(copy.id().iteration());
      assertThat(Arrays.equals(words(copy), expected.words))
          .as("%s: %s holds the state of its iteration", when, copy.id())
          .isTrue();
    }
  }

  private static long[] words(VerifiedCopy copy) throws IOException {
    RegionImage image = copy.images().get(0);
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.toIntExact(image.bytes())).order(ByteOrder.nativeOrder());
    ChunkReader reader = copy.readers().get(0);
    for (int chunk = 0; chunk < image.chunks(); chunk++) {
      reader.read(0, chunk, bytes);
    }
    long[] words = new long[bytes.flip().remaining() / Long.BYTES];
    bytes.asLongBuffer().get(words);
    return words;
  }
}
