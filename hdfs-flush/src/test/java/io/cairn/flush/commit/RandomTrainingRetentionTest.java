package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.commit.RetentionPolicy.Order;
import io.cairn.flush.format.LayeredRank;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Random trainings with rollbacks, scores, clocks that jump, and containers that lean on older
 * ones. After each seal the store has what a naive oracle keeps, and what that leans on.
 */
class RandomTrainingRetentionTest {
  private final MemoryStore store = new MemoryStore("m");
  private final Map<Long, CheckpointId> bases = new HashMap<>();
  private final Map<Long, Ancestry> lines = new HashMap<>();
  private final Map<CheckpointId, CheckpointFacts> facts = new TreeMap<>();
  private final Map<CheckpointId, CheckpointManifest> manifests = new TreeMap<>();
  private final Map<CheckpointId, List<byte[]>> contents = new TreeMap<>();
  private Set<CheckpointId> present = new TreeSet<>();
  private Instant clock = Instant.parse("2026-01-01T00:00:00Z");

  @RepeatedTest(100)
  void theStoreHasExactlyWhatTheRulesKeep(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    RetentionPolicy policy = policy(random);
    Retention retention = new Retention(store);
    long iteration = 0;
    for (long epoch = 1; epoch <= 3; epoch++) {
      LayeredRank rank = new LayeredRank(0, 1, 1 + random.nextInt(4), random);
      lines.put(epoch, Ancestry.NONE);
      if (epoch > 1) {
        iteration = begin(epoch, random);
      }
      for (int i = 1 + random.nextInt(12); i > 0; i--) {
        iteration += 1 + random.nextInt(4);
        CheckpointId id = Written.id(epoch, iteration);
        rank.change(random);
        seal(id, rank, random);
        Retention.Report report = retention.apply(Written.GROUP, epoch, policy);

        String script = String.format(Locale.ROOT, "seed %d, %s, %s", seed, policy, id);
        assertThat(report.problems()).as(script).isEmpty();
        present.add(id);
        present = oracle(policy, epoch);
        assertStoreHas(present, script);
      }
    }
  }

  private static RetentionPolicy policy(SplittableRandom random) {
    return RetentionPolicy.newest(1 + random.nextInt(3))
        .andEvery(random.nextInt(3) * random.nextLong(1, 9))
        .andBest(random.nextInt(3), random.nextBoolean() ? Order.LOWEST : Order.HIGHEST)
        .andYounger(Duration.ofMinutes(random.nextInt(3) * random.nextLong(20)));
  }

  /** Continues from any checkpoint that is alive and there; returns its iteration. */
  private long begin(long epoch, SplittableRandom random) {
    List<CheckpointId> choice = present.stream().filter(id -> isAlive(id, epoch - 1)).toList();
    CheckpointId base = choice.get(random.nextInt(choice.size()));
    bases.put(epoch, base);
    lines.put(epoch, line(base.epoch()).continuedFrom(base));
    return base.iteration();
  }

  private void seal(CheckpointId id, LayeredRank rank, SplittableRandom random) throws IOException {
    int minutes = random.nextInt(8) == 0 ? random.nextInt(-90, 90) : random.nextInt(9);
    clock = clock.plus(Duration.ofMinutes(minutes));
    // few values, so that some are equal
    double score = random.nextInt(5) == 0 ? Double.NaN : random.nextInt(6);
    CheckpointFacts known =
        random.nextInt(9) == 0
            ? CheckpointFacts.NONE
            : new CheckpointFacts(OptionalDouble.of(score), Optional.of(clock));
    Fingerprint program = known.addedTo(Fingerprint.NONE.with("run", "a"));
    ContainerSummary container = rank.write(store, id).writtenBy(program);
    CheckpointManifest manifest = Written.manifest(id, 1, line(id.epoch()), List.of(container));
    assertThat(new ManifestCommit(store).commit(manifest, StoreNames.MANIFEST))
        .isInstanceOf(CommitOutcome.Committed.class);
    facts.put(id, known);
    manifests.put(id, manifest);
    contents.put(id, rank.sample().contents());
  }

  private Ancestry line(long epoch) {
    return Objects.requireNonNull(lines.get(epoch));
  }

  private CheckpointFacts of(CheckpointId id) {
    return Objects.requireNonNull(facts.get(id));
  }

  private boolean isAlive(CheckpointId id, long epoch) {
    long last = Long.MAX_VALUE;
    long at = epoch;
    while (id.epoch() != at) {
      CheckpointId base = bases.get(at);
      if (base == null) {
        return false;
      }
      at = base.epoch();
      last = base.iteration();
    }
    return id.iteration() <= last;
  }

  private Set<CheckpointId> oracle(RetentionPolicy policy, long epoch) {
    Set<CheckpointId> alive =
        present.stream().filter(id -> isAlive(id, epoch)).collect(Collectors.toSet());
    Set<CheckpointId> kept =
        alive.stream().filter(id -> isKept(policy, id, alive)).collect(Collectors.toSet());
    // while this line is too short, others stay: the newest, or all where they may be landmarks
    int missing = policy.newest() - Math.min(policy.newest(), alive.size());
    long others = policy.keepsNewestAlone() ? missing + 1L : Long.MAX_VALUE;
    if (missing > 0) {
      new TreeSet<>(present)
          .descendingSet().stream()
              .filter(id -> !alive.contains(id))
              .limit(others)
              .forEach(kept::add);
    }
    return new TreeSet<>(kept);
  }

  private boolean isKept(RetentionPolicy policy, CheckpointId id, Set<CheckpointId> alive) {
    long newer = alive.stream().filter(other -> other.compareTo(id) > 0).count();
    boolean landmark =
        policy.everyIterations() > 0
            && alive.stream()
                .noneMatch(
                    other ->
                        other.compareTo(id) < 0
                            && other.iteration() / policy.everyIterations()
                                == id.iteration() / policy.everyIterations());
    long better = alive.stream().filter(other -> isBetter(policy, other, id)).count();
    boolean best = of(id).score().isPresent() && better < policy.best();
    return newer < policy.newest() || landmark || best || isYoung(policy, id, alive);
  }

  private boolean isBetter(RetentionPolicy policy, CheckpointId one, CheckpointId other) {
    if (of(one).score().isEmpty() || of(other).score().isEmpty()) {
      return false;
    }
    double difference = of(one).score().getAsDouble() - of(other).score().getAsDouble();
    double by = policy.order() == Order.LOWEST ? -difference : difference;
    return by > 0 || (by == 0 && one.compareTo(other) < 0);
  }

  private boolean isYoung(RetentionPolicy policy, CheckpointId id, Set<CheckpointId> alive) {
    Duration age = Duration.ZERO;
    CheckpointId newer = null;
    for (CheckpointId each : new TreeSet<>(alive).descendingSet()) {
      if (of(each).sealed().isEmpty()) {
        continue;
      }
      if (newer != null) {
        Duration gap =
            Duration.between(of(each).sealed().orElseThrow(), of(newer).sealed().orElseThrow());
        Duration most = policy.younger().dividedBy(10);
        gap = gap.isNegative() ? Duration.ZERO : gap;
        age = age.plus(each.epoch() == newer.epoch() || gap.compareTo(most) < 0 ? gap : most);
      }
      if (each.equals(id)) {
        return !policy.younger().isZero() && age.compareTo(policy.younger()) < 0;
      }
      newer = each;
    }
    return false;
  }

  private void assertStoreHas(Set<CheckpointId> kept, String script) throws IOException {
    Inventory.Listing listing = Inventory.list(store, Written.GROUP);
    Set<CheckpointId> leaned =
        kept.stream()
            .flatMap(id -> Objects.requireNonNull(manifests.get(id)).leansOn().stream())
            .filter(id -> !kept.contains(id))
            .collect(Collectors.toSet());
    assertThat(listing.checkpoints().keySet()).as(script).isEqualTo(kept);
    assertThat(listing.leaned()).as(script).containsExactlyInAnyOrderElementsOf(leaned);
    assertThat(listing.everything()).as(script).hasSize(kept.size() + leaned.size());
    for (StoredCheckpoint stored : new ArrayList<>(listing.checkpoints().values())) {
      assertThat(LayeredRank.read(store, stored.id(), 0, stored.containersOf(0)))
          .as("%s, reading %s", script, stored.id())
          .usingElementComparator(Arrays::compare)
          .isEqualTo(contents.get(stored.id()));
    }
  }
}
