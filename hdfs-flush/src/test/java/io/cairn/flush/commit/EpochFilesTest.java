package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.flush.commit.FaultyStore.Fault;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EpochFilesTest {
  private static final GroupId GROUP = Written.GROUP;

  private final MemoryStore store = new MemoryStore("m");
  private final EpochFiles epochs =
      new EpochFiles(store, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));

  @Test
  void epochsRiseAndSayWhoTookThem() throws IOException {
    assertThat(epochs.newest(GROUP)).isZero();
    assertThat(epochs.take(GROUP, 0, "first\nand more")).isEqualTo(1);
    assertThat(epochs.take(GROUP, 0, "x".repeat(5000))).isEqualTo(2);
    assertThat(epochs.newest(GROUP)).isEqualTo(2);
    assertThat(epochs.holder(GROUP, 1)).hasValue("first\n1970-01-01T00:00:00Z");
    assertThat(epochs.holder(GROUP, 2))
        .hasValueSatisfying(text -> assertThat(text).hasSizeLessThan(1100));
    assertThat(epochs.holder(GROUP, 3)).isEmpty();
    assertThat(store.files).containsKey("job/group/epochs/000001");
    assertThat(epochs.take(new GroupId("job", "other"), 0, "")).isEqualTo(1);
  }

  @Test
  void filesThatAreNoEpochsAreIgnored() throws IOException {
    store.files.put("job/group/epochs/README", new byte[1]);
    store.files.put("job/group/epochs/000007", new byte[0]);
    assertThat(epochs.take(GROUP, 0, "me")).isEqualTo(8);
  }

  @Test
  void anEpochIsAboveEveryCheckpointAndEveryReportedTrace() throws IOException {
    store.files.put("job/group/e000005-i0000000001/writer-r00000.chunks", new byte[1]);

    assertThat(epochs.take(GROUP, 0, "after a lost epochs directory")).isEqualTo(6);
    assertThat(epochs.take(GROUP, 9, "above a node's copies")).isEqualTo(10);
  }

  /** A stray name must not end the training, nor take all numbers away. */
  @Test
  void aNameBeyondTheGreatestEpochIsNoEpoch() throws IOException {
    store.files.put("job/group/epochs/999999999999999999", new byte[0]);
    store.files.put("job/group/e999999999999999999-i0000000001/MANIFEST", new byte[1]);

    assertThat(epochs.take(GROUP, 0, "me")).isEqualTo(1);
  }

  /** One forged name would block the group for good, and fence the attempt that runs. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "epochs/9999999999999",
        "epochs/1000002",
        "e9999999999999-i0000000000/writer-r00000.chunks",
        "e9999999999999-i0000000000/MANIFEST"
      })
  void anEpochThatNothingExplainsIsSetAside(String name) throws IOException {
    assertThat(epochs.take(GROUP, 0, "me")).isEqualTo(1);
    store.files.put("job/group/" + name, "nobody".getBytes(StandardCharsets.US_ASCII));

    assertThat(epochs.newest(GROUP)).isEqualTo(1);
    assertThat(epochs.newestTrace(GROUP)).isEqualTo(1);
    assertThat(epochs.take(GROUP, 0, "me")).isEqualTo(2);
  }

  /** A name far away is everybody's to leave, and so is its text. */
  @ParameterizedTest
  @ValueSource(ints = {0, 5000})
  void aDistantClaimOfAnotherBirthIsSetAside(int more) throws IOException {
    assertThat(epochs.take(GROUP, 0, "me")).isEqualTo(1);
    String birth = GroupBirth.of(store, GROUP);
    store.files.put(
        "job/group/epochs/9999999999999",
        ("x\ny\nbirth " + UUID.randomUUID() + "\n" + "z".repeat(more))
            .getBytes(StandardCharsets.US_ASCII));

    assertThat(epochs.newestTrace(GROUP)).isEqualTo(1);
    assertThat(epochs.take(GROUP, 0, "me")).isEqualTo(2);
    store.files.remove("job/group/birth");
    assertThat(epochs.newest(GROUP)).isEqualTo(2);
    assertThat(GroupBirth.of(store, GROUP)).isEqualTo(birth);
  }

  @ParameterizedTest
  @ValueSource(strings = {"epochs/9999999999999", "e9999999999999-i0000000000/MANIFEST"})
  void aDistantEpochThatCannotBeReadIsSetAside(String name) throws IOException {
    assertThat(epochs.take(GROUP, 0, "me")).isEqualTo(1);
    store.files.put("job/group/" + name, new byte[1]);
    EpochFiles unreadable = new EpochFiles(Unreadable.file(store, "job/group/" + name));

    assertThat(unreadable.newestTrace(GROUP)).isEqualTo(1);
    assertThat(unreadable.take(GROUP, 0, "me")).isEqualTo(2);
  }

  @Test
  void aDistantEpochCountsIfItsClaimOrItsManifestExplainsIt() throws IOException {
    String birth = GroupBirth.of(store, GROUP);
    store.files.put(
        "job/group/epochs/5000000",
        ("me\n2026-01-01T00:00:00Z\nbirth " + birth + "\n").getBytes(StandardCharsets.US_ASCII));
    assertThat(epochs.newest(GROUP)).isEqualTo(5_000_000);

    Written.sealed(store, Written.id(9_000_000, 3), 1, Ancestry.NONE);

    assertThat(epochs.newestTrace(GROUP)).isEqualTo(9_000_000);
    assertThat(epochs.take(GROUP, 0, "me")).isEqualTo(9_000_001);
  }

  @Test
  void aReportedTraceBeyondTheGreatestEpochIsRefused() {
    assertThatThrownBy(() -> epochs.take(GROUP, 999_999_999_999_999_999L, "me"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("epoch 999999999999999999");
  }

  @Test
  void racingClaimsNeverShareAnEpoch() throws Exception {
    List<Callable<List<Long>>> claims = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      claims.add(
          () -> {
            List<Long> taken = new ArrayList<>();
            for (int k = 0; k < 20; k++) {
              taken.add(epochs.take(GROUP, 0, "racer"));
            }
            return taken;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Long> all = new ArrayList<>();
    try {
      for (Future<List<Long>> taken : threads.invokeAll(claims)) {
        assertThat(taken.get()).isSorted();
        all.addAll(taken.get());
      }
    } finally {
      threads.shutdown();
    }
    assertThat(all).hasSize(80).doesNotHaveDuplicates();
  }

  /** No claim gets a number that another claim has, or may still get, whichever reply is lost. */
  @Test
  void aClaimWhoseReplyIsLostBurnsItsNumber() throws IOException {
    for (int number = 3; number < 6; number++) {
      for (Fault fault : Fault.values()) {
        store.files.clear();
        GroupBirth.of(store, GROUP);
        FaultyStore faulty = new FaultyStore(store).fault(number, fault);
        String script = number + " " + fault;
        long first = new EpochFiles(faulty).take(GROUP, 0, "first");
        faulty.applyLate();
        // a file that was created and has no text is a claim
        long own = number == 4 && fault != Fault.REPLY_LOST ? 1 : 2;
        assertThat(first).as(script).isEqualTo(own);
        assertThat(epochs.take(GROUP, 0, "second")).as(script).isEqualTo(own + 1);
      }
    }
  }

  @Test
  void anErrorNamesStoreAndGroup() {
    FaultyStore dead = new FaultyStore(store).dieAt(2);
    assertThatThrownBy(() -> new EpochFiles(dead).take(GROUP, 0, "me"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("memory:m")
        .hasMessageContaining("job/group")
        .hasMessageContaining("scripted: create");
    FaultyStore unlisted = new FaultyStore(store).dieAt(0);
    assertThatThrownBy(() -> new EpochFiles(unlisted).take(GROUP, 0, "me"))
        .hasMessageContaining("no epoch of job/group could be taken");
  }

  /**
   * The operations are: read the birth, create, write, sync, and what follows an error. A file that
   * was created and not written may be anybody's.
   */
  @Test
  void anAttemptKnowsItsOwnClaimAgainWhicheverReplyWasLost() throws IOException {
    for (int number = 0; number < 8; number++) {
      for (Fault fault : Fault.values()) {
        MemoryStore below = new MemoryStore("m");
        String unused = GroupBirth.of(below, GROUP);
        FaultyStore faulty = new FaultyStore(below).fault(number, fault);
        EpochFiles own = new EpochFiles(faulty);
        boolean known;
        try {
          known = own.claim(GROUP, 6, "me", Optional.empty());
        } catch (IOException e) {
          assertThat(e).as("%s of %d", fault, number).hasMessageContaining("no epoch of");
          faulty.applyLate();
          known = own.claim(GROUP, 6, "me", Optional.empty());
        }

        assertThat(known)
            .as("after %s of %d", fault, number)
            .isEqualTo(number != 1 || fault == Fault.REFUSED);
        assertThat(new EpochFiles(below).claim(GROUP, 6, "another", Optional.empty()))
            .as("another's, after %s of %d", fault, number)
            .isFalse();
      }
    }
  }

  /** A creation that was not answered may still make its file. */
  @Test
  void theNextNumberIsAboveAllThatLostCreationsMayMake() throws IOException {
    EpochFiles blocked = new EpochFiles(new FaultyStore(store).dieAt(3));
    String unused = GroupBirth.of(store, GROUP);

    assertThatThrownBy(() -> blocked.take(GROUP, 0, "me")).hasMessageContaining("unanswered");

    assertThat(epochs.next(GROUP, 0)).isEqualTo(6);
    assertThat(epochs.next(GROUP, 10)).isEqualTo(16);
  }
}
