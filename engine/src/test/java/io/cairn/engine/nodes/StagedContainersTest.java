package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StagedContainersTest {
  private static final int CHUNK = 1024;
  private static final int BYTES = 50_000;

  private final MemoryStore node = new MemoryStore("node");
  private final MemoryStore store = new MemoryStore("store");

  private CheckpointManifest atNode(Fingerprint program) throws IOException {
    return atNode(Written.id(1, 20), program);
  }

  private CheckpointManifest atNode(CheckpointId id, Fingerprint program) throws IOException {
    ContainerSummary written =
        new ContainerWriter(CHUNK)
            .write(node, id, 1, List.of(SampleRank.of(0, CHUNK, new byte[BYTES]).chunks()));
    return Written.manifest(id, 1, Ancestry.NONE, List.of(written.writtenBy(program)));
  }

  private StagedContainers containers() {
    return containers(new Pace(0, System::nanoTime, Waits.REAL));
  }

  private StagedContainers containers(Pace pace) {
    return new StagedContainers(store, () -> new ContainerWriter(CHUNK), pace, bytes -> {});
  }

  private ContainerSummary staged(Fingerprint program) throws IOException {
    CheckpointManifest part = atNode(program);
    StagingOwner.claim(store);
    ContainerSummary written = containers().write(part, StagingOwner.BIRTH, node);
    try (RankReader reader = RankReader.open(store, part.id(), 0, List.of(written))) {
      assertThat(SampleRank.readAll(reader.images(), reader)).containsExactly(new byte[BYTES]);
    }
    return written;
  }

  @Test
  void anOwnerWithoutABirthHasClaimedNothing() throws IOException {
    CheckpointManifest part = atNode(Fingerprint.NONE);

    assertThatThrownBy(() -> containers().write(part, "", node))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was not claimed");
  }

  @Test
  void regionsAreCompressedAsTheirProgramAsks() throws IOException {
    assertThat(staged(Fingerprint.NONE.with("codec.r0", "zstd")).bytes()).isLessThan(BYTES / 4);
  }

  @Test
  void otherRegionsAreCompressedAsTheServerIsToldTo() throws IOException {
    assertThat(staged(Fingerprint.NONE).bytes()).isGreaterThan(BYTES);
  }

  /** As below a missing mount: the claim that the server looks for is in the store alone. */
  @Test
  void nothingIsWrittenInADirectoryThatTookThePlaceOfTheStore() throws IOException {
    CheckpointManifest part = atNode(Fingerprint.NONE);
    StagingOwner.claim(store);
    store.files.clear();

    assertThatThrownBy(() -> containers().write(part, StagingOwner.BIRTH, node))
        .hasMessageContaining("was not claimed");
    assertThat(store.files).isEmpty();
  }

  /** A sleep takes virtual time, and nothing else does. */
  private record Sleeps(AtomicLong clock) implements Waits {
    @Override
    public void sleep(long millis) {
      clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Override
    public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) {
      throw new AssertionError("nothing is polled");
    }

    @Override
    public boolean await(CompletableFuture<?> awaited, long nanos) {
      throw new AssertionError("nothing is awaited");
    }
  }

  @Test
  void allThatAServerWritesIsBoundByItsRate() throws IOException {
    CheckpointManifest part = atNode(Fingerprint.NONE);
    StagingOwner.claim(store);
    AtomicLong clock = new AtomicLong(7);
    StagedContainers containers = containers(new Pace(BYTES / 5, clock::get, new Sleeps(clock)));

    var first = containers.write(part, StagingOwner.BIRTH, node);
    Duration once = Duration.ofNanos(clock.get() - 7);
    var second = containers.write(part, StagingOwner.BIRTH, node);
    Duration twice = Duration.ofNanos(clock.get() - 7);

    assertThat(once).isBetween(Duration.ofSeconds(5), Duration.ofMillis(5002));
    assertThat(twice).isBetween(Duration.ofSeconds(10), Duration.ofMillis(10_002));
    assertThat(first.file()).isNotEqualTo(second.file());
  }

  /** Its directory would count as the trace of an epoch above all that follow. */
  @Test
  void anEpochThatNobodyClaimedIsNotWritten() throws IOException {
    StagingOwner.claim(store);
    CheckpointId forged = Written.id(CheckpointId.MAX_EPOCH, 1);
    CheckpointManifest part = atNode(forged, Fingerprint.NONE);

    assertThatThrownBy(() -> containers().write(part, StagingOwner.BIRTH, node))
        .hasMessageContaining("was not claimed");
    assertThat(store.list(StoreNames.checkpoint(forged))).isEmpty();
  }

  @Test
  void anotherBirthOfAGroupIsNotWritten() throws IOException {
    StagingOwner.claim(store);
    CheckpointManifest part = atNode(Fingerprint.NONE);

    assertThatThrownBy(() -> containers().write(part, StagingOwner.BIRTH.replace('a', 'f'), node))
        .hasMessageContaining("was not claimed");
    assertThat(store.list(StoreNames.checkpoint(part.id()))).isEmpty();
  }
}
