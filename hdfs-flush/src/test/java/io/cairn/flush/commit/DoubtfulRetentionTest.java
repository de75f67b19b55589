package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.commit.RetentionPolicy.Order;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A checkpoint of an older epoch that cannot be judged now, and may be the best. */
class DoubtfulRetentionTest {
  private static final CheckpointId BEST = Written.id(1, 100);
  private static final RetentionPolicy POLICY = RetentionPolicy.newest(2).andBest(1, Order.LOWEST);

  private final MemoryStore store = new MemoryStore("m");

  @BeforeEach
  void train() throws IOException {
    commit(BEST, 0.1, Ancestry.NONE);
    commit(Written.id(1, 110), 0.9, Ancestry.NONE);
    Ancestry line = Ancestry.NONE.continuedFrom(Written.id(1, 110));
    for (long iteration = 200; iteration < 230; iteration += 10) {
      commit(Written.id(2, iteration), 0.5, line);
    }
  }

  private void commit(CheckpointId id, double score, Ancestry line) throws IOException {
    var program =
        CheckpointFacts.scored(OptionalDouble.of(score)).addedTo(Fingerprint.NONE.with("run", "a"));
    var container = Written.container(store, id, 0, 1).writtenBy(program);
    var manifest =
        new CheckpointManifest(id, 1, Optional.empty(), line, "nonce", List.of(container));
    store.files.put(StoreNames.file(id, StoreNames.MANIFEST), ManifestCodec.encode(manifest));
  }

  private static void assertBestIsThere(MemoryStore in, String script) {
    assertThat(in.files)
        .as(script)
        .containsKeys(
            StoreNames.file(BEST, StoreNames.MANIFEST),
            StoreNames.file(BEST, StoreNames.container(0)));
  }

  @Test
  void aReadThatFailsOnceDeletesNoneOfTheBest() throws IOException {
    FaultyStore counting = new FaultyStore(store.copy());
    new Retention(counting).apply(Written.GROUP, 2, POLICY);
    assertThat(counting.count()).isPositive();

    for (int at = 0; at < counting.count(); at++) {
      MemoryStore copy = store.copy();
      FaultyStore faulty = new FaultyStore(copy).fault(at, FaultyStore.Fault.REFUSED);
      try {
        new Retention(faulty).apply(Written.GROUP, 2, POLICY);
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("scripted");
      }
      assertBestIsThere(copy, "fails at " + at);
      new Retention(copy).apply(Written.GROUP, 2, POLICY);
      assertBestIsThere(copy, "the next after a failure at " + at);
    }
  }

  /** A repair sets it aside for a moment, or died there. */
  @Test
  void aMissingContainerDeletesNoneOfTheBest() throws IOException {
    String container = StoreNames.file(BEST, StoreNames.container(0));
    String aside = StoreNames.file(BEST, StoreNames.quarantined(StoreNames.container(0)));
    store.publish(container, aside);

    new Retention(store).apply(Written.GROUP, 2, POLICY);
    store.publish(aside, container);

    assertBestIsThere(store, "back under its name");
  }

  @Test
  void withoutOtherRulesTheOldGo() throws IOException {
    store.files.remove(StoreNames.file(BEST, StoreNames.container(0)));

    new Retention(store).apply(Written.GROUP, 2, 2);

    assertThat(Inventory.list(store, Written.GROUP).everything())
        .containsExactly(Written.id(2, 210), Written.id(2, 220));
  }
}
