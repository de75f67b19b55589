package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.commit.RetentionPolicy.Order;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Manifests that retention read before, and does not read again. */
class KnownManifestsTest {
  private static final RetentionPolicy LANDMARKS = RetentionPolicy.newest(1).andEvery(1);

  private final MemoryStore store = new MemoryStore("m");
  private final List<String> opened = new ArrayList<>();
  private final Retention retention = new Retention(listening());

  private CheckpointStore listening() {
    return (CheckpointStore)
        Proxy.newProxyInstance(
            CheckpointStore.class.getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("open")) {
                opened.add(arguments[0].toString());
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private List<CheckpointId> apply(long epoch, RetentionPolicy policy) throws IOException {
    opened.clear();
    return retention.apply(Written.GROUP, epoch, policy).kept();
  }

  @Test
  void eachManifestIsReadOnce() throws IOException {
    for (int i = 1; i <= 9; i++) {
      Written.sealed(store, Written.id(1, i), 2, Ancestry.NONE);
      assertThat(apply(1, LANDMARKS)).hasSize(i);
      assertThat(opened).containsExactly(StoreNames.file(Written.id(1, i), StoreNames.MANIFEST));
    }
  }

  /** A second listing follows the deletion of manifests, and needs no text again. */
  @Test
  void amongWritersEachManifestIsReadOnce() throws IOException {
    Retention among = Retention.amongWriters(listening());
    for (int i = 1; i <= 5; i++) {
      Written.sealed(store, Written.id(1, i), 2, Ancestry.NONE);
      opened.clear();

      Retention.Report report = among.apply(Written.GROUP, 1, 2);

      assertThat(report.deleted()).hasSize(i > 2 ? 1 : 0);
      assertThat(opened).containsExactly(StoreNames.file(Written.id(1, i), StoreNames.MANIFEST));
    }
  }

  /** The listing shows it, so that it takes no other one's place. */
  @Test
  void aContainerThatVanishesIsNoticed() throws IOException {
    for (int i = 1; i <= 3; i++) {
      Written.sealed(store, Written.id(1, i), 1, Ancestry.NONE);
    }
    assertThat(apply(1, RetentionPolicy.newest(3))).hasSize(3);

    store.files.remove(StoreNames.file(Written.id(1, 2), StoreNames.container(0)));

    assertThat(apply(1, RetentionPolicy.newest(3)))
        .containsExactly(Written.id(1, 3), Written.id(1, 1));
  }

  private void commit(CheckpointId id, double score) throws IOException {
    var program =
        CheckpointFacts.scored(OptionalDouble.of(score)).addedTo(Fingerprint.NONE.with("run", "a"));
    var container = Written.container(store, id, 0, 1).writtenBy(program);
    var manifest =
        new CheckpointManifest(id, 1, Optional.empty(), Ancestry.NONE, "nonce", List.of(container));
    store.files.put(StoreNames.file(id, StoreNames.MANIFEST), ManifestCodec.encode(manifest));
  }

  /** The group's directory may have been deleted meanwhile, and its numbers begin anew. */
  @Test
  void whatIsForgottenIsReadAgain() throws IOException {
    RetentionPolicy best = RetentionPolicy.newest(1).andBest(1, Order.LOWEST);
    commit(Written.id(1, 1), 2.5);
    commit(Written.id(1, 2), 3.5);
    assertThat(apply(1, best)).containsExactly(Written.id(1, 2), Written.id(1, 1));
    store.files.clear();
    commit(Written.id(1, 1), 5.5);
    commit(Written.id(1, 2), 4.5);
    Written.sealed(store, Written.id(1, 3), 1, Ancestry.NONE);

    retention.forget();

    assertThat(apply(1, best)).containsExactly(Written.id(1, 3), Written.id(1, 2));
  }

  @Test
  void whatIsRememberedIsBounded() {
    KnownManifests known = new KnownManifests();
    CheckpointManifest manifest =
        Written.manifest(
            Written.id(1, 1),
            1,
            Ancestry.NONE,
            List.of(
                new ContainerSummary(
                    "writer-r00000.chunks", 9, Digest.of(new byte[1]), List.of(0))));
    long half = KnownManifests.MOST_BYTES / 2;
    Digest digest = Digest.of(new byte[0]);
    known.add("a", new KnownManifests.Known(manifest, digest, half));
    known.add("b", new KnownManifests.Known(manifest, digest, half));
    known.add("c", new KnownManifests.Known(manifest, digest, 1));

    assertThat(known.find("a", half)).isPresent();
    assertThat(known.find("b", half)).isPresent();
    assertThat(known.find("b", half - 1)).as("of another length").isEmpty();
    assertThat(known.find("c", 1)).as("no room").isEmpty();
    known.keepOnly(Set.of(Written.id(1, 2)));
    assertThat(known.find("a", half)).isEmpty();
    known.add("c", new KnownManifests.Known(manifest, digest, 2 * half));
    assertThat(known.find("c", 2 * half)).isPresent();
  }
}
