package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.core.protocol.Lineage;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/**
 * Retention over made-up histories of epochs, and against an epoch that is over but still writes.
 */
class RetentionPropertyTest {
  private final MemoryStore store = new MemoryStore("m");

  /** Some epochs, each continuing from something alive, with all that can be left lying about. */
  private long history(SplittableRandom random) throws IOException {
    long epochs = 1L + random.nextInt(4);
    for (long epoch = 1; epoch <= epochs; epoch++) {
      List<CheckpointId> alive = Lineage.alive(sealed());
      Ancestry line = Ancestry.NONE;
      long iteration = 0;
      if (!alive.isEmpty() && random.nextInt(5) > 0) {
        CheckpointId base = alive.get(random.nextInt(alive.size()));
        line = sealed().getOrDefault(base, Ancestry.NONE).continuedFrom(base);
        iteration = base.iteration();
      }
      for (int i = random.nextInt(6); i > 0; i--) {
        iteration += 1 + random.nextInt(9);
        something(random, Written.id(epoch, iteration), line);
      }
    }
    return epochs;
  }

  private void something(SplittableRandom random, CheckpointId id, Ancestry line)
      throws IOException {
    switch (random.nextInt(8)) {
      case 0 -> Written.container(store, id, 0, 1);
      case 1 -> Written.part(store, id, random.nextInt(2), 2, line);
      case 2 ->
          store.files.put(
              StoreNames.file(id, StoreNames.temporaryManifest("left")),
              new byte[random.nextInt(9)]);
      case 3 -> {
        Written.sealed(store, id, 1, line);
        store.flip(StoreNames.file(id, StoreNames.MANIFEST), random.nextInt(900));
      }
      default -> Written.sealed(store, id, 1, line);
    }
  }

  private Map<CheckpointId, Ancestry> sealed() throws IOException {
    return Inventory.list(store, Written.GROUP).checkpoints().values().stream()
        .filter(StoredCheckpoint::coversGroup)
        .collect(
            Collectors.toMap(
                StoredCheckpoint::id, StoredCheckpoint::ancestry, (a, b) -> a, TreeMap::new));
  }

  private Map<String, byte[]> filesOf(CheckpointId id) {
    return store.files.entrySet().stream()
        .filter(file -> file.getKey().startsWith(StoreNames.checkpoint(id) + "/"))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @RepeatedTest(200)
  void theNewestAliveAreKeptAndNewerOnesUntouched(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    long epochs = history(random);
    long current = random.nextInt(4) == 0 ? Math.max(1, epochs - 1) : epochs;
    int keep = 1 + random.nextInt(3);
    Inventory.Listing before = Inventory.list(store, Written.GROUP);
    Map<CheckpointId, Ancestry> sealed = sealed();
    Map<CheckpointId, Map<String, byte[]>> files = new TreeMap<>();
    before.everything().forEach(id -> files.put(id, filesOf(id)));

    FaultyStore faulty = new FaultyStore(store);
    Inventory.list(faulty, Written.GROUP);
    int listing = faulty.count() + 1;
    if (random.nextBoolean()) {
      faulty.dieAt(2 * listing + random.nextInt(20));
    }
    Retention.Report report = new Retention(faulty).apply(Written.GROUP, current, keep);
    List<CheckpointId> alive = Lineage.alive(sealed);
    boolean turn =
        sealed.keySet().stream().anyMatch(id -> id.epoch() == current)
            && before.everything().last().epoch() <= current;
    assertThat(report.kept())
        .as("seed %d", seed)
        .isEqualTo(turn ? alive.subList(0, Math.min(keep, alive.size())) : List.of());
    Inventory.Listing after = Inventory.list(store, Written.GROUP);
    for (CheckpointId id : report.kept()) {
      assertThat(after.checkpoints()).as("seed %d", seed).containsKey(id);
    }
    for (StoredCheckpoint stored : after.checkpoints().values()) {
      Written.requireReadable(store, stored);
    }
    boolean enough = report.kept().size() == keep;
    for (CheckpointId id : before.everything()) {
      boolean older = enough && id.compareTo(report.kept().get(keep - 1)) < 0;
      boolean own = id.epoch() >= current && !sealed.containsKey(id) && !older;
      if (!turn || own || id.epoch() > current || report.kept().contains(id)) {
        assertThat(filesOf(id)).as("seed %d, %s", seed, id).isEqualTo(files.get(id));
      }
    }
    if (turn && report.problems().isEmpty()) {
      assertThat(after.everything().stream().filter(id -> id.epoch() < current))
          .as("seed %d: of older epochs only what is kept or in doubt", seed)
          .allMatch(
              id ->
                  report.kept().contains(id)
                      || spared(sealed.keySet(), report.kept(), keep).contains(id)
                      || before.problems().stream().anyMatch(p -> p.id().equals(id)));
    }
  }

  /** It errs on one side only; and it says no while all that could go is in use. */
  @RepeatedTest(200)
  void nothingIsDeletedWhereNothingMayBe(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    long current = history(random);
    int keep = 1 + random.nextInt(3);
    Set<CheckpointId> inUse = new HashSet<>(Inventory.list(store, Written.GROUP).everything());
    double used = random.nextDouble();
    inUse.removeIf(id -> random.nextDouble() > used);
    Set<CheckpointId> sealed = sealed().keySet();
    Retention retention = new Retention(store);

    boolean may = retention.mayDelete(Written.GROUP, current, keep, sealed::contains, inUse);
    Map<String, byte[]> before = Map.copyOf(store.files);
    retention.apply(Written.GROUP, current, keep, StoredCheckpoint::coversGroup, inUse);

    assertThat(may || store.files.equals(before)).as("seed %d", seed).isTrue();
    inUse.addAll(Inventory.list(store, Written.GROUP).everything());
    assertThat(retention.mayDelete(Written.GROUP, current, keep, sealed::contains, inUse))
        .as("seed %d, all in use", seed)
        .isFalse();
  }

  @Test
  void whatIsInUseCostsOneListing() throws IOException {
    for (int i = 1; i <= 26; i++) {
      Written.sealed(store, Written.id(1, i), 1, Ancestry.NONE);
    }
    FaultyStore counted = new FaultyStore(store);
    Set<CheckpointId> older = new HashSet<>(Inventory.list(store, Written.GROUP).everything());
    older.remove(Written.id(1, 26));

    assertThat(new Retention(counted).mayDelete(Written.GROUP, 1, 1, id -> true, older)).isFalse();
    assertThat(counted.count()).isEqualTo(1);
    older.remove(Written.id(1, 7));
    assertThat(new Retention(counted).mayDelete(Written.GROUP, 1, 1, id -> true, older)).isTrue();
  }

  /** Of those that are sealed on other lines the newest, as far as the kept ones are too few. */
  private static List<CheckpointId> spared(
      Set<CheckpointId> sealed, List<CheckpointId> kept, int keep) {
    return sealed.stream()
        .filter(id -> kept.size() < keep && !kept.contains(id))
        .sorted(Comparator.reverseOrder())
        .limit(keep + 1L - kept.size())
        .toList();
  }

  /**
   * Epoch 2 resumes from e1-i20 and applies retention, while the fenced epoch 1 still commits: once
   * on the line, once beyond it. At every interleaving the checkpoints that count can be read.
   */
  @Test
  void anEpochThatIsOverCommitsWhileTheNextOneSweeps() throws IOException {
    Ancestry line = Ancestry.NONE.continuedFrom(Written.id(1, 20));
    Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(2, 25), 1, line);
    for (CheckpointId late : List.of(Written.id(1, 15), Written.id(1, 30))) {
      Set<Boolean> committed = new HashSet<>();
      for (int strikes = 0; strikes < 14; strikes++) {
        committed.add(race(store.copy(), late, strikes));
      }
      assertThat(committed).as("the sweep comes in time, and too late").hasSize(2);
    }
  }

  /** The same the other way round: the publish strikes at every point of the sweep. */
  @Test
  void anOlderEpochPublishesInTheMiddleOfASweep() throws IOException {
    Ancestry line = Ancestry.NONE.continuedFrom(Written.id(1, 20));
    CheckpointId late = Written.id(1, 15);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(2, 25), 1, line);
    var container = Written.container(store, late, 0, 1);
    String temporary = StoreNames.file(late, StoreNames.temporaryManifest("n"));
    store.files.put(
        temporary,
        ManifestCodec.encode(Written.manifest(late, 1, Ancestry.NONE, List.of(container))));
    FaultyStore counting = new FaultyStore(store.copy());
    new Retention(counting).apply(Written.GROUP, 2, 2);
    for (int strikes = 0; strikes < counting.count(); strikes++) {
      for (int dies = strikes + 1; dies <= counting.count() + 2; dies++) {
        MemoryStore copy = store.copy();
        FaultyStore sweeping = new FaultyStore(copy).dieAt(dies);
        sweeping.before(strikes, () -> publish(copy, temporary, late));
        sweepUntilDeath(sweeping);
        Inventory.Listing listing = Inventory.list(copy, Written.GROUP);
        assertThat(listing.problems()).as("strikes %d, dies %d", strikes, dies).isEmpty();
        assertThat(listing.checkpoints()).containsKeys(Written.id(2, 25), Written.id(1, 20));
      }
    }
  }

  private static void sweepUntilDeath(FaultyStore sweeping) {
    try {
      new Retention(sweeping).apply(Written.GROUP, 2, 2);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("scripted");
    }
  }

  private static void publish(MemoryStore store, String temporary, CheckpointId id) {
    try {
      store.publish(temporary, StoreNames.file(id, StoreNames.MANIFEST));
    } catch (IOException e) {
      assertThat(e).isInstanceOf(NoSuchFileException.class); // the sweep was faster
    }
  }

  private static boolean race(MemoryStore store, CheckpointId late, int strikes)
      throws IOException {
    String script = late + ", the sweep strikes before operation " + strikes;
    FaultyStore zombie = new FaultyStore(store);
    zombie.before(strikes, () -> sweep(store));
    boolean committed = false;
    try {
      var manifest =
          Written.manifest(late, 1, Ancestry.NONE, List.of(Written.container(zombie, late, 0, 1)));
      committed =
          new ManifestCommit(zombie).commit(manifest, StoreNames.MANIFEST)
              instanceof CommitOutcome.Committed;
    } catch (IOException e) {
      assertThat(e).as(script).hasMessageContaining(late.directory());
    }
    Inventory.Listing listing = Inventory.list(store, Written.GROUP);
    Map<CheckpointId, Ancestry> counting = new TreeMap<>();
    for (StoredCheckpoint stored : listing.checkpoints().values()) {
      Written.requireReadable(store, stored);
      counting.put(stored.id(), stored.ancestry());
    }
    List<CheckpointId> alive = Lineage.alive(counting);
    assertThat(alive.get(0)).as(script).isEqualTo(Written.id(2, 25));
    if (late.iteration() > 20) {
      assertThat(alive).as(script).doesNotContain(late);
    }
    sweep(store);
    assertThat(new TreeMap<>(counting).keySet()).as(script).contains(Written.id(1, 20));
    for (StoredCheckpoint stored : Inventory.list(store, Written.GROUP).checkpoints().values()) {
      Written.requireReadable(store, stored);
    }
    return committed;
  }

  private static void sweep(MemoryStore store) {
    try {
      new Retention(store).apply(Written.GROUP, 2, 2);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
