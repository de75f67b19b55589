package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.model.GroupId;
import io.cairn.core.protocol.Origin;
import io.cairn.engine.coordination.EpochWatch.Look;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.format.Layout;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EpochWatchTest {
  private static final GroupId GROUP = new GroupId("job", "pair");

  @TempDir Path root;

  private CheckpointStore store;
  private EpochWatch watch;

  @BeforeEach
  void open() throws IOException {
    store = LocalStore.open(root, Durability.PROCESS);
    watch = new EpochWatch(store, GROUP);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private Map<Integer, Origin> origins(long one, long other) throws IOException {
    String birth = GroupBirth.of(store, GROUP);
    return Map.of(0, new Origin(birth, one), 1, new Origin(birth, other));
  }

  @Test
  void anEpochIsAboveTheTracesOfAllRanks() throws IOException {
    assertThat(watch.take(origins(3, 7), "this run")).isEqualTo(8);
  }

  @Test
  void aLaterEpochIsSeenWithItsHolder() throws IOException {
    watch.stranger(origins(0, 0));
    long epoch = watch.take(origins(0, 0), "this run");
    assertThat(watch.look(epoch)).isInstanceOf(Look.Newest.class);

    new EpochFiles(store).take(GROUP, 0, "another run");

    assertThat(watch.look(epoch))
        .isInstanceOfSatisfying(
            Look.Over.class, over -> assertThat(over.reason()).contains("another run"));
  }

  @Test
  void aLaterEpochIsSeenEvenIfItsFileCannotBeRead() throws IOException {
    watch = new EpochWatch(Unreadable.file(store, Layout.epoch(GROUP, 2)), GROUP);
    watch.stranger(origins(0, 0));
    long epoch = watch.take(origins(0, 0), "this run");

    new EpochFiles(store).take(GROUP, 0, "another run");

    assertThat(watch.look(epoch))
        .isInstanceOfSatisfying(
            Look.Over.class,
            over ->
                assertThat(over.reason())
                    .contains("epoch 2 of job/pair was taken", "could not obtain block"));
  }

  @Test
  void aRankOfAnotherStoreIsNamed() throws IOException {
    Map<Integer, Origin> origins =
        Map.of(0, new Origin(GroupBirth.of(store, GROUP), 0), 1, new Origin("elsewhere", 0));

    assertThat(watch.stranger(origins))
        .hasValueSatisfying(reason -> assertThat(reason).contains("rank 1 of job/pair"));
  }
}
