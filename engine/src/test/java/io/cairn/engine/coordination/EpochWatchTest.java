package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.model.GroupId;
import io.cairn.core.protocol.Origin;
import io.cairn.engine.coordination.EpochWatch.Look;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.format.Layout;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Each is proof alone: a directory below a missing mount has none of them. */
  @ParameterizedTest
  @ValueSource(strings = {"cairn-store-id", "job/pair/birth", "job/pair/epochs/000001"})
  void aStoreThatLacksWhatThisProcessKnowsShowsNothing(String known) throws IOException {
    String unused = StoreIdentity.of(store);
    watch.stranger(origins(0, 0));
    long epoch = watch.take(origins(0, 0), "this run");
    byte[] text = Files.readAllBytes(root.resolve(known));
    if (known.endsWith("birth")) {
      Files.write(root.resolve("job/pair/epochs/000001"), new byte[0]);
    }
    Files.delete(root.resolve(known));

    assertThat(watch.look(epoch))
        .isInstanceOfSatisfying(
            Look.Elsewhere.class,
            elsewhere -> assertThat(elsewhere.reason()).contains("another directory"));

    Files.write(root.resolve(known), text);
    assertThat(watch.look(epoch)).isInstanceOf(Look.Newest.class);
  }

  /** Birth and claim prove the store; its name alone, which nothing else needs, stops no run. */
  @Test
  void aNameThatCannotBeReadStopsNothing() throws IOException {
    String unused = StoreIdentity.of(store);
    watch.stranger(origins(0, 0));
    long epoch = watch.take(origins(0, 0), "this run");

    Files.delete(root.resolve(StoreIdentity.FILE));
    Files.createDirectory(root.resolve(StoreIdentity.FILE)); // each read of it fails

    assertThat(watch.look(epoch)).isInstanceOf(Look.Newest.class);
    assertThat(watch.stranger(origins(0, 0))).isEmpty();
  }

  @Test
  void noEpochBeginsInAnotherStoreThanTheLast() throws IOException {
    String unused = StoreIdentity.of(store);
    watch.stranger(origins(0, 0));
    Files.writeString(root.resolve(StoreIdentity.FILE), "another\n");

    assertThatThrownBy(() -> watch.stranger(origins(0, 0)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another directory");
  }

  @Test
  void aRankOfAnotherStoreIsNamed() throws IOException {
    Map<Integer, Origin> origins =
        Map.of(0, new Origin(GroupBirth.of(store, GROUP), 0), 1, new Origin("elsewhere", 0));

    assertThat(watch.stranger(origins))
        .hasValueSatisfying(reason -> assertThat(reason).contains("rank 1 of job/pair"));
  }
}
