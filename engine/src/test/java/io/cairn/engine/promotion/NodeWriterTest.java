package io.cairn.engine.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.cache.chunk.CapturedChunks;
import io.cairn.cache.chunk.Pin;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import io.cairn.engine.sharing.borrower.Leases;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CountingStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LateStore;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NODE as rank 0 of two writes it. */
class NodeWriterTest {
  private static final Member MEMBER = new Member(new GroupId("job", "pair"), 0, 2);
  private static final int CHUNK = 8;

  @TempDir Path root;

  private CheckpointStore store;
  private LateStore node;
  private CountingStore counted;
  private NodeGroups groups;
  private NodeWriter writer;

  /** A region without bytes. */
  private static final class Nothing implements CapturedChunks {
    @Override
    public List<RegionImage> images() {
      return List.of(new RegionImage("weights", 0, CHUNK, new int[0]));
    }

    @Override
    public Optional<Pin> pin() {
      return Optional.empty();
    }

    @Override
    public ChunkReader reader() {
      return (region, chunk, into) -> {};
    }
  }

  @BeforeEach
  void open() throws IOException {
    store = LocalStore.open(root.resolve("store"), Durability.PROCESS);
    NodeDirectory directory = new NodeDirectory(root.resolve("node"), store);
    node = new LateStore("NODE", directory::open, System::nanoTime);
    counted = new CountingStore(node);
    groups = new NodeGroups(counted, store);
    NodeCleaning cleaning =
        new NodeCleaning(directory, node, Duration.ofDays(7), Uptime.ofMachine());
    writer = new NodeWriter(Level.NODE, directory, node, groups, CHUNK, 2, cleaning);
    writer.enter(MEMBER.group());
    writer.begin(MEMBER, 1, true);
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    store.close();
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(MEMBER.group(), 1, iteration);
  }

  private void write(long iteration) throws IOException {
    Nothing source = new Nothing();
    Promoted checkpoint =
        new Promoted(
            MEMBER,
            id(iteration),
            source,
            Leases.none(),
            Fingerprint.NONE,
            Map::of,
            Optional.empty(),
            Ancestry.NONE,
            Set.of(Level.NODE),
            false,
            new SilentReporter());
    writer.write(
        checkpoint,
        most ->
            new OpenCopies(
                List.of(
                    new Copy(
                        "regions", source.images(), Fingerprint.NONE, source.reader(), () -> {}))));
  }

  private boolean isThere(long iteration) throws IOException {
    return !groups.of(MEMBER.group()).list(StoreNames.checkpoint(id(iteration))).isEmpty();
  }

  @Test
  void anAttemptThatIsOverWritesNothing() throws IOException {
    write(0);
    writer.begin(MEMBER, 2, true);

    assertThatThrownBy(() -> write(1))
        .isInstanceOf(SupersededException.class)
        .hasMessageContaining("epoch 2 of job/pair began on this node");
    assertThat(isThere(1)).isFalse();
  }

  /** A directory has the name of the part. */
  @Test
  void aPartWhoseCommitIsUncertainIsNotHeld() throws IOException {
    CheckpointStore there = groups.of(MEMBER.group());
    there.create(StoreNames.file(id(0), StoreNames.manifestPart(0)) + "/file").close();

    assertThatThrownBy(() -> write(0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("manifest at");
  }

  /** The other rank is late: it has not written the newest two. */
  @Test
  void checkpointsThatTheGroupHasNotSealedDisplaceNoSealedOnes() throws IOException {
    for (long iteration = 0; iteration < 5; iteration++) {
      write(iteration);
    }

    writer.retain(id(2), id -> id.iteration() <= 2, Set.of());

    assertThat(isThere(0)).isFalse();
    assertThat(isThere(1)).isTrue();
    assertThat(isThere(2)).isTrue();
    assertThat(isThere(4)).isTrue();
  }

  /** Each iteration may be sealed at NODE. A commit reads its own part, too. */
  @Test
  void retentionReadsEachPartOnce() throws IOException {
    for (long iteration = 0; iteration < 8; iteration++) {
      long last = iteration;
      write(iteration);
      writer.retain(id(iteration), id -> id.iteration() <= last, Set.of());
    }

    assertThat(isThere(5)).isFalse();
    assertThat(isThere(6)).isTrue();
    assertThat(counted.manifestsRead()).isEqualTo(8 + 8);
  }

  /** Another attempt may have its number. */
  @Test
  void anEpochWithoutAClaimIsMarkedWhenSomethingOfItIsWritten() throws IOException {
    CheckpointStore there = groups.of(MEMBER.group());
    there.delete(StoreNames.epoch(MEMBER.group(), 1));
    writer.begin(MEMBER, 1, false);
    assertThat(there.list(StoreNames.epochs(MEMBER.group()))).isEmpty();

    write(0);

    assertThat(there.list(StoreNames.epochs(MEMBER.group()))).hasSize(1);
  }
}
