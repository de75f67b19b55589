package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.protocol.EpochClaim;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.Standing;
import io.cairn.engine.coordination.EpochWatch.Claim;
import io.cairn.engine.coordination.EpochWatch.Look;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import io.cairn.flush.store.StoreOutput;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** The store, but that another one may be there just while this file is created. */
  private CheckpointStore creatingIn(String file, Callable<CheckpointStore> there) {
    CheckpointStore below = store;
    return (CheckpointStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              boolean other = method.getName().equals("create") && arguments[0].equals(file);
              try {
                return method.invoke(other ? there.call() : below, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** This store for the first call, and the watched one then. */
  private Callable<CheckpointStore> once(CheckpointStore first) {
    CheckpointStore below = store;
    AtomicBoolean called = new AtomicBoolean();
    return () -> called.getAndSet(true) ? below : first;
  }

  /** Else the next attempt takes the same epoch in the store. */
  @Test
  void aClaimBelowAMountPointIsNone(@TempDir Path belowMountPoint) throws IOException {
    String claim = StoreNames.epoch(GROUP, 1);
    try (CheckpointStore other = LocalStore.open(belowMountPoint, Durability.PROCESS)) {
      watch = new EpochWatch(creatingIn(claim, once(other)), GROUP);
      watch.stranger(origins(0, 0));

      assertThatThrownBy(() -> watch.take(origins(0, 0), "this run"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another directory");

      assertThat(belowMountPoint.resolve(claim)).exists();
      assertThat(watch.take(origins(0, 0), "this run")).isOne();
      assertThat(new EpochFiles(store).taken(GROUP)).containsExactly(1L);
    }
  }

  @Test
  void aLateClaimBelowAMountPointIsWrittenAgain(@TempDir Path belowMountPoint) throws IOException {
    String claim = StoreNames.epoch(GROUP, EpochClaim.MOST_LOST + 1);
    try (CheckpointStore other = LocalStore.open(belowMountPoint, Durability.PROCESS)) {
      watch = new EpochWatch(creatingIn(claim, once(other)), GROUP);
      long epoch = unclaimed();

      assertThat(watch.claim(epoch, "this run")).isInstanceOf(Claim.Open.class);

      assertThat(belowMountPoint.resolve(claim)).exists();
      assertThat(watch.claim(epoch, "this run")).isInstanceOf(Claim.Made.class);
      assertThat(new EpochFiles(store).taken(GROUP)).containsExactly(epoch);
    }
  }

  /** Absence is no proof that the group was deleted. */
  @Test
  void aStoreThatIsNotMountedLeavesTheClaimOpen() throws IOException {
    long epoch = unclaimed();
    Path birth = root.resolve("job/pair/birth");
    byte[] text = Files.readAllBytes(birth);
    Files.delete(birth);

    assertThat(watch.claim(epoch, "this run")).isInstanceOf(Claim.Open.class);

    Files.write(birth, text);
    assertThat(watch.claim(epoch, "this run")).isInstanceOf(Claim.Made.class);
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
    watch = new EpochWatch(Unreadable.file(store, StoreNames.epoch(GROUP, 2)), GROUP);
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

  private long unclaimed() throws IOException {
    watch.stranger(origins(0, 0));
    long epoch = watch.beginUnclaimed(origins(0, 0));
    Standing standing = watch.unclaimed(epoch, Inventory.list(store, GROUP));
    assertThat(standing.claimed()).isFalse();
    assertThat(standing.vouched()).contains(epoch);
    return epoch;
  }

  @Test
  void anEpochThatBeganWithoutAClaimTakesNoCommitBeforeItHasOne() throws IOException {
    long epoch = unclaimed();
    assertThat(watch.look(epoch)).isInstanceOf(Look.Unclaimed.class);
    assertThat(watch.look(EpochWatch.ANY)).isInstanceOf(Look.Newest.class);

    assertThat(watch.claim(epoch, "this run")).isInstanceOf(Claim.Made.class);

    assertThat(watch.look(epoch)).isInstanceOf(Look.Newest.class);
    assertThat(new EpochFiles(store).taken(GROUP)).containsExactly(epoch);
    assertThat(watch.isUnclaimed()).isFalse();
  }

  /** The later attempt goes on. */
  @Test
  void anAttemptThatTookAnEpochMeanwhileIsNotFenced() throws IOException {
    long epoch = unclaimed();
    long other = new EpochFiles(store).take(GROUP, 0, "another run");

    assertThat(watch.claim(epoch, "this run"))
        .isInstanceOfSatisfying(
            Claim.Lost.class, lost -> assertThat(lost.reason()).contains("another run"));

    assertThat(new EpochFiles(store).taken(GROUP)).containsExactly(other).isNotEqualTo(epoch);
    assertThat(watch.look(epoch)).as("nothing can be committed").isNotInstanceOf(Look.Newest.class);
    assertThat(watch.claimedUnseen().vouched()).isEmpty();
  }

  @Test
  void nothingThatWasSealedUpToTheClaimIsPassedOver() throws IOException {
    CheckpointStore below = store;
    String claim = StoreNames.epoch(GROUP, 7);
    CheckpointStore sealing =
        creatingIn(
            claim,
            () -> {
              Written.sealed(below, new CheckpointId(GROUP, 1, 20), 2, Ancestry.NONE);
              return below;
            });
    assertThat(watch.take(origins(0, 0), "an earlier run")).isEqualTo(1);
    watch = new EpochWatch(sealing, GROUP);
    long epoch = unclaimed();
    assertThat(StoreNames.epoch(GROUP, epoch)).isEqualTo(claim);

    assertThat(watch.claim(epoch, "this run"))
        .isInstanceOfSatisfying(
            Claim.Lost.class, lost -> assertThat(lost.reason()).contains("e1-i20"));
  }

  @Test
  void aStoreThatTakesNoFileYetLeavesTheClaimOpen() throws IOException {
    long epoch = unclaimed();
    Path epochs = root.resolve(StoreNames.epochs(GROUP));
    Files.writeString(epochs, "no directory");

    assertThat(watch.claim(epoch, "this run")).isInstanceOf(Claim.Open.class);
    assertThat(watch.isUnclaimed()).isTrue();

    Files.delete(epochs);
    assertThat(watch.claim(epoch, "this run")).isInstanceOf(Claim.Made.class);
  }

  /** A device cache may have copies of it, and resumes from them. */
  @Test
  void alsoALaterEpochVouchesForOneThatHadNoClaim() throws IOException {
    long first = unclaimed();
    long second = unclaimed();
    assertThat(second).isGreaterThan(first);
    assertThat(watch.claim(first, "this run")).isInstanceOf(Claim.Lost.class);
    assertThat(watch.claim(second, "this run")).isInstanceOf(Claim.Made.class);
    assertThat(watch.take(origins(0, 0), "this run")).isGreaterThan(second);

    assertThat(watch.claimed(Inventory.list(store, GROUP)).vouched())
        .containsExactly(first, second);
  }

  /** The store has the file of a claim whose reply was lost, and it names its attempt. */
  @Test
  void aClaimWhoseReplyWasLostIsNoUseByAnotherAttempt() throws IOException {
    CheckpointStore below = store;
    String lost = StoreNames.epoch(GROUP, EpochClaim.MOST_LOST + 1);
    watch = new EpochWatch(creatingIn(lost, () -> closingWithAFailure(below)), GROUP);
    long first = unclaimed();
    assertThat(watch.claim(first, "this run")).isInstanceOf(Claim.Open.class);
    assertThat(new EpochFiles(store).taken(GROUP)).containsExactly(first);
    long second = unclaimed();
    assertThat(watch.isVouched(first)).isTrue();

    assertThat(watch.claim(second, "this run")).isInstanceOf(Claim.Made.class);
  }

  private CheckpointStore closingWithAFailure(CheckpointStore below) {
    return (CheckpointStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              StoreOutput output = below.create((String) arguments[0]);
              return new StoreOutput() {
                @Override
                public long position() {
                  return output.position();
                }

                @Override
                public void write(ByteBuffer bytes) throws IOException {
                  output.write(bytes);
                }

                @Override
                public void sync() throws IOException {
                  output.sync();
                }

                @Override
                public void close() throws IOException {
                  output.close();
                  throw new IOException("the reply was lost");
                }
              };
            });
  }

  @Test
  void nobodyVouchesForAnEpochWithoutAClaimOnceAnotherAttemptBegan() throws IOException {
    long first = unclaimed();
    new EpochFiles(store).take(GROUP, 0, "another run");
    long second = unclaimed();

    assertThat(watch.claim(second, "this run")).isInstanceOf(Claim.Made.class);
    assertThat(watch.isVouched(first)).isFalse();
    assertThat(watch.isVouched(second)).isTrue();
  }
}
