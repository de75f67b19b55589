package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.RestoreReport;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A restore meets a bad copy at NODE: it is set aside, and a good one takes its place. */
@Timeout(60)
class NodeRepairTest {
  private static final String CONTAINER = "writer-r00000.chunks";
  private static final String PART = "MANIFEST-r00000";
  private static final int ITERATIONS = 9;

  /** Bytes before the first chunk of a container. */
  private static final int HEADER_BYTES = 512;

  @TempDir Path root;

  private Places places() {
    return new Places(root);
  }

  /** The newest checkpoint is due at NODE and STORE. */
  private void train() throws IOException {
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, ITERATIONS);
    }
  }

  private Path newest() throws IOException {
    return places().nodeOfStore().resolve("test/run/e000001-i0000000008");
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(newest())) {
      return files
          .map(
              file ->
                  file.getFileName().toString().replaceAll("repaired-[0-9a-f-]{36}", "repaired"))
          .sorted()
          .toList();
    }
  }

  private Path repaired() throws IOException {
    try (Stream<Path> files = Files.list(newest())) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("writer-r00000-repaired-"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static void flip(Path file, long at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) at] ^= 4;
    Files.write(file, bytes);
  }

  /** The result of a restart, with the events of the repair if one was to be awaited. */
  private record Restart(RestoreReport report, List<CairnEvent> events, long containersAtStore) {
    /** Without the restore, which its own thread reports to one observer after the other. */
    List<CairnEvent> ofRepair() {
      return events.stream().filter(event -> !(event instanceof CairnEvent.Restored)).toList();
    }
  }

  private Restart restart(Class<? extends CairnEvent> awaited) throws Exception {
    BlockingQueue<CairnEvent> events = new LinkedBlockingQueue<>();
    GatedStore store = new GatedStore(LocalStore.open(places().store(), Durability.PROCESS));
    BlockingQueue<String> read = new LinkedBlockingQueue<>();
    GatedStore.Gate counting =
        (operation, path) -> {
          if (path.endsWith(".chunks")) {
            read.add(path);
          }
        };
    store.gate(counting.forReads());
    try (CairnEngine cairn = CairnEngine.open(places().config(), store)) {
      cairn
          .observers()
          .add(
              event -> {
                if (isOfRepair(event)) {
                  events.add(event);
                }
              });
      try (Checkpointer checkpointer = cairn.join("run")) {
        Toy toy = new Toy();
        toy.protectBy(checkpointer);
        RestoreReport report = checkpointer.restore().orElseThrow();
        assertThat(toy).isEqualTo(Toy.undisturbed(ITERATIONS));
        Restart restart = new Restart(report, new ArrayList<>(), read.size());
        while (restart.events().stream().noneMatch(awaited::isInstance)) {
          restart.events().add(events.take());
        }
        return restart;
      }
    }
  }

  private static boolean isOfRepair(CairnEvent event) {
    return event instanceof CairnEvent.Restored
        || event instanceof CairnEvent.Quarantined
        || event instanceof CairnEvent.Repaired
        || event instanceof CairnEvent.NotRepaired;
  }

  private enum Damage {
    HEADER {
      @Override
      void to(Path directory) throws IOException {
        flip(directory.resolve(CONTAINER), 20);
      }
    },
    CHUNK {
      @Override
      void to(Path directory) throws IOException {
        flip(directory.resolve(CONTAINER), HEADER_BYTES + 5000);
      }
    },
    INDEX {
      @Override
      void to(Path directory) throws IOException {
        flip(directory.resolve(CONTAINER), Files.size(directory.resolve(CONTAINER)) - 80);
      }
    },
    TRAILER {
      @Override
      void to(Path directory) throws IOException {
        flip(directory.resolve(CONTAINER), Files.size(directory.resolve(CONTAINER)) - 3);
      }
    },
    TRUNCATED {
      @Override
      void to(Path directory) throws IOException {
        byte[] bytes = Files.readAllBytes(directory.resolve(CONTAINER));
        Files.write(directory.resolve(CONTAINER), Arrays.copyOf(bytes, 9000));
      }
    },
    MISSING {
      @Override
      void to(Path directory) throws IOException {
        Files.delete(directory.resolve(CONTAINER));
      }
    },
    MANIFEST {
      @Override
      void to(Path directory) throws IOException {
        flip(directory.resolve(PART), 30);
      }
    };

    abstract void to(Path directory) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void aBadCopyIsReplacedByAGoodOne(Damage damage) throws Exception {
    train();
    damage.to(newest());

    Restart first = restart(CairnEvent.Repaired.class);

    assertThat(first.report().level()).isEqualTo(Level.STORE);
    List<CairnEvent> ofRepair = first.ofRepair();
    assertThat(ofRepair.stream().map(Object::getClass))
        .containsExactly(CairnEvent.Quarantined.class, CairnEvent.Repaired.class);
    assertThat(((CairnEvent.Quarantined) ofRepair.get(0)).file()).contains("i0000000008");

    Restart second = restart(CairnEvent.Restored.class);

    assertThat(second.report().level()).isEqualTo(Level.NODE);
    assertThat(second.report().id()).isEqualTo(first.report().id());
    assertThat(second.containersAtStore()).isZero();
  }

  @Test
  void theBadFilesStayUnderOtherNames() throws Exception {
    train();
    Damage.CHUNK.to(newest());

    restart(CairnEvent.Repaired.class);

    assertThat(files())
        .containsExactly(
            PART,
            "quarantined." + PART,
            "quarantined." + CONTAINER,
            "writer-r00000-repaired.chunks");
  }

  @Test
  void aGoodCopyIsLeftAlone() throws Exception {
    train();
    List<String> before = files();

    restart(CairnEvent.Restored.class);

    assertThat(files()).isEqualTo(before);
  }

  /** The process ended after it set the copy aside. */
  @Test
  void aCopyThatWasSetAsideIsReplacedLater() throws Exception {
    train();
    Files.move(newest().resolve(PART), newest().resolve("quarantined." + PART));
    Files.move(newest().resolve(CONTAINER), newest().resolve("quarantined." + CONTAINER));
    Files.writeString(newest().resolve("writer-r00000-repaired.chunks"), "cut short");

    Restart first = restart(CairnEvent.Repaired.class);

    assertThat(first.report().level()).isEqualTo(Level.STORE);
    assertThat(restart(CairnEvent.Restored.class).report().level()).isEqualTo(Level.NODE);
  }

  @Test
  void aCopyThatGoesBadAgainIsReplacedAgain() throws Exception {
    train();
    Damage.CHUNK.to(newest());
    restart(CairnEvent.Repaired.class);
    flip(repaired(), HEADER_BYTES + 5000);

    restart(CairnEvent.Repaired.class);

    assertThat(files())
        .containsExactly(
            PART,
            "quarantined." + PART,
            "quarantined.writer-r00000-repaired.chunks",
            "writer-r00000-repaired.chunks");
    assertThat(restart(CairnEvent.Restored.class).report().level()).isEqualTo(Level.NODE);
  }

  /** Each of two copies has a chunk that is good in the other alone. */
  @Test
  void aCopyWithChunksThatNoOtherHasIsNotHidden() throws Exception {
    train();
    Damage.CHUNK.to(newest());
    flip(
        places().store().resolve("test/run/e000001-i0000000008").resolve(CONTAINER),
        HEADER_BYTES + 9000);
    List<String> before = files();

    Restart first = restart(CairnEvent.NotRepaired.class);

    assertThat(first.events().stream().map(Object::getClass))
        .doesNotContain(CairnEvent.Quarantined.class);
    assertThat(files()).isEqualTo(before);
    assertThat(restart(CairnEvent.NotRepaired.class).report().id()).isEqualTo(first.report().id());
  }
}
