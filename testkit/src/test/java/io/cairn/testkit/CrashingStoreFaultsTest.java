package io.cairn.testkit;

import static io.cairn.flush.store.StoreFiles.bytes;
import static io.cairn.flush.store.StoreFiles.names;
import static io.cairn.flush.store.StoreFiles.read;
import static io.cairn.flush.store.StoreFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.flush.store.StoreOutput;
import io.cairn.testkit.CrashingStore.Call;
import io.cairn.testkit.CrashingStore.Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The fake's own faults: a test that relies on one must get just that one. */
class CrashingStoreFaultsTest {
  private static final byte[] CONTENT = bytes(1, 1000);

  private final CrashingStore store = new CrashingStore(1);
  private final CrashingMedium medium = store.medium();

  @Test
  void aCrashTakesNothingThatWasSynced() throws IOException {
    for (int seed = 0; seed < 50; seed++) {
      CrashingStore any = new CrashingStore(seed);
      write(any, "job/.tmp", CONTENT);
      write(any, "job/other", CONTENT);
      any.publish("job/.tmp", "job/final");
      any.medium().crash();
      assertThat(names(any, "job")).as("seed %d", seed).containsExactly("final", "other");
      assertThat(read(any, "job/final")).as("seed %d", seed).isEqualTo(CONTENT);
    }
  }

  @Test
  void aCrashLosesCutsAndTearsWhatWasNotSynced() throws IOException {
    Set<String> seen = new HashSet<>();
    for (int seed = 0; seed < 100; seed++) {
      CrashingStore any = new CrashingStore(seed);
      try (StoreOutput out = any.create("file")) {
        out.write(ByteBuffer.wrap(CONTENT, 0, 400));
        out.write(ByteBuffer.wrap(CONTENT, 400, 600));
        any.medium().crash();
        assertThatExceptionOfType(IOException.class)
            .isThrownBy(() -> out.write(ByteBuffer.allocate(1)))
            .withMessageContaining("crash");
      }
      seen.add(fate(any, 0, seed));
    }
    assertThat(seen).contains("gone", "cut", "torn");
  }

  @Test
  void aCrashKeepsThePartThatWasSynced() throws IOException {
    Set<String> seen = new HashSet<>();
    for (int seed = 0; seed < 100; seed++) {
      CrashingStore any = new CrashingStore(seed);
      try (StoreOutput out = any.create("file")) {
        out.write(ByteBuffer.wrap(CONTENT, 0, 400));
        out.sync();
        out.write(ByteBuffer.wrap(CONTENT, 400, 600));
      }
      any.medium().crash();
      seen.add(fate(any, 400, seed));
    }
    assertThat(seen).contains("cut", "torn").doesNotContain("gone");
  }

  private static String fate(CrashingStore store, int synced, int seed) throws IOException {
    if (names(store, "").isEmpty()) {
      return "gone";
    }
    byte[] found = read(store, "file");
    assertThat(found.length).as("seed %d", seed).isBetween(synced, CONTENT.length);
    assertThat(Arrays.copyOf(found, synced))
        .as("seed %d", seed)
        .isEqualTo(Arrays.copyOf(CONTENT, synced));
    if (Arrays.equals(found, CONTENT)) {
      return "whole";
    }
    return Arrays.equals(found, Arrays.copyOf(CONTENT, found.length)) ? "cut" : "torn";
  }

  @Test
  void aLostReplyHasItsEffect() throws IOException {
    write(store, "job/.tmp", CONTENT);
    store.failNext(Call.PUBLISH, Fault.LOST_REPLY);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.publish("job/.tmp", "job/final"))
        .withMessageContainingAll("LOST_REPLY", "PUBLISH", "job/final");
    assertThat(names(store, "job")).containsExactly("final");
    store.failNext(Call.CREATE, Fault.LOST_REPLY);
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.create("epoch"));
    assertThat(names(store, "")).contains("epoch");
  }

  @Test
  void aRefusedCallHasNone() throws IOException {
    write(store, "job/.tmp", CONTENT);
    store.failNext(Call.PUBLISH, Fault.REFUSED);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.publish("job/.tmp", "job/final"));
    assertThat(names(store, "job")).containsExactly(".tmp");
    store.publish("job/.tmp", "job/final");
    assertThat(names(store, "job")).containsExactly("final");
  }

  @Test
  void aLatePublishTakesPlaceIfItStillCan() throws IOException {
    write(store, "job/.tmp", CONTENT);
    write(store, "job/.gone", CONTENT);
    publishLate("job/.tmp", "job/final");
    publishLate("job/.gone", "job/other");
    assertThat(names(store, "job")).containsExactly(".gone", ".tmp");
    store.delete("job/.gone");
    assertThat(medium.late()).isEqualTo(2);
    assertThat(medium.applyLate()).isEqualTo(1);
    assertThat(names(store, "job")).containsExactly("final");
    assertThat(medium.late()).isZero();
  }

  private void publishLate(String from, String to) {
    store.failNext(Call.PUBLISH, Fault.LATE);
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.publish(from, to));
  }

  @Test
  void aTornWriteLeavesAPart() throws IOException {
    try (StoreOutput out = store.create("file")) {
      store.failNext(Call.WRITE, Fault.TORN);
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> out.write(ByteBuffer.wrap(CONTENT)));
    }
    byte[] found = read(store, "file");
    assertThat(found.length).isLessThan(CONTENT.length);
    assertThat(found).isEqualTo(Arrays.copyOf(CONTENT, found.length));
  }

  @Test
  void flipsOneBit() throws IOException {
    write(store, "file", CONTENT);
    long offset = medium.flipBit("file");
    byte[] found = read(store, "file");
    int index = (int) offset;
    assertThat(Integer.bitCount((found[index] ^ CONTENT[index]) & 0xff)).isEqualTo(1);
    found[index] = CONTENT[index];
    assertThat(found).isEqualTo(CONTENT);
    medium.truncate("file", 10);
    assertThat(read(store, "file")).hasSize(10);
  }

  @Test
  void fillsUp() throws IOException {
    medium.capacityBytes(1500);
    write(store, "one", CONTENT);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> write(store, "two", CONTENT))
        .withMessageContainingAll("two", "500", "No space left");
    store.delete("one");
    write(store, "three", CONTENT);
    assertThat(read(store, "three")).isEqualTo(CONTENT);
  }

  @Test
  void isReadOnlyOrGoneWhenTold() throws IOException {
    write(store, "file", CONTENT);
    medium.mode(CrashingMedium.Mode.READ_ONLY);
    assertThat(read(store, "file")).isEqualTo(CONTENT);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.delete("file"))
        .withMessageContaining("Read-only");
    medium.mode(CrashingMedium.Mode.GONE);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.list(""))
        .withMessageContaining("gone");
    medium.mode(CrashingMedium.Mode.READ_WRITE);
    assertThat(store.delete("file")).isTrue();
  }

  @Test
  void aKilledProcessCallsNoMoreWhileAnotherGoesOn() throws IOException {
    CrashingStore other = new CrashingStore(medium, 2);
    store.killAfter(2);
    StoreOutput out = store.create("file");
    out.write(ByteBuffer.wrap(CONTENT));
    assertThatExceptionOfType(ProcessKilledException.class).isThrownBy(out::sync);
    assertThatExceptionOfType(ProcessKilledException.class)
        .isThrownBy(() -> store.list(""))
        .withMessageContaining("dead process");
    byte[] found = read(other, "file");
    assertThat(found).isEqualTo(Arrays.copyOf(CONTENT, found.length));
  }

  @Test
  void followsFromItsSeed() {
    assertThat(run(7)).isEqualTo(run(7));
    assertThat(run(7)).isNotEqualTo(run(8));
  }

  /** A hundred calls with random faults and a crash, and what came of each. */
  private static String run(long seed) {
    CrashingStore any = new CrashingStore(new CrashingMedium(0), seed);
    any.failRandomly(0.3);
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      try {
        write(any, "job/.tmp" + i, bytes(i, 100));
        any.publish("job/.tmp" + i, "job/final" + i);
        log.append("done ");
      } catch (IOException e) {
        log.append(e.getMessage()).append(' ');
      }
    }
    any.medium().crash();
    any.failRandomly(0);
    try {
      return log.append(any.list("job")).toString();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void refusesAFaultThatTheCallCannotHave() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.failNext(Call.LIST, Fault.TORN))
        .withMessageContainingAll("LIST", "TORN");
  }
}
