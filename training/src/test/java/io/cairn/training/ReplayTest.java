package io.cairn.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.cairn.Certificate;
import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.StoredCheckpoints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Replays of a training that belongs to no framework: it counts, and adds up the counts. */
class ReplayTest {
  private static final long LAST = 11;
  private static final int THREADS = 2;

  private final Store store = new Store(new Member(OneWeight.GROUP, 0, 1));

  /** Checkpoints at STORE, in memory. */
  private record Store(
      Member member, Map<Long, Map<String, byte[]>> bytes, List<Certificate> certificates)
      implements StoredCheckpoints {
    Store(Member member) {
      this(member, new HashMap<>(), new ArrayList<>());
    }

    @Override
    public List<Stored> checkpoints() {
      return bytes.keySet().stream()
          .sorted((one, other) -> Long.compare(other, one))
          .map(ReplayTest::id)
          .map(id -> new Stored(id, Digest.of(new byte[0]), Map.of(), certificate(id)))
          .toList();
    }

    private Optional<Certificate> certificate(CheckpointId id) {
      return certificates.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    @Override
    public Optional<RestoreReport> load(CheckpointId id, List<Region> into) {
      Map<String, byte[]> saved = bytes.get(id.iteration());
      if (saved == null) {
        return Optional.empty();
      }
      for (Region region : into) {
        ((Region.Blob) region).load().accept(saved.get(region.name()));
      }
      return Optional.of(new RestoreReport(id, Level.STORE, "memory", 0, List.of()));
    }

    @Override
    public boolean certify(Certificate certificate) {
      return certificates.add(certificate);
    }
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(OneWeight.GROUP, 1, iteration);
  }

  /**
   * The program of the training.
   *
   * @param end its last iteration
   * @param threads of this process
   * @param forgotten added to a restored sum
   */
  private record Adding(long end, int threads, long forgotten) implements ReplayedProgram {
    @Override
    public void run(Checkpointer checkpointer) {
      long[] sum = {0};
      long[] iteration = {-1};
      checkpointer.protect(
          Region.of("sum", () -> bytes(sum[0]), saved -> sum[0] = first(saved) + forgotten));
      checkpointer.protect(
          Region.of(STATE, () -> bytes(iteration[0]), saved -> iteration[0] = first(saved)));
      var unused = checkpointer.restore();
      while (iteration[0] < end) {
        iteration[0]++;
        sum[0] += iteration[0];
        var ticket = checkpointer.checkpoint(iteration[0]);
        assertThat(ticket.captured()).isCompleted();
      }
    }

    @Override
    public int threads(byte[] state) {
      return THREADS;
    }

    @Override
    public List<String> differences(byte[] state, byte[] other) {
      return first(state) == first(other) ? List.of() : List.of("iteration");
    }

    @Override
    public Digest digest(long address, long bytes) {
      throw new IllegalStateException("all regions are blobs");
    }
  }

  private static byte[] bytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static long first(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong();
  }

  private void keep(long iteration, long sum) {
    store
        .bytes()
        .put(iteration, Map.of("sum", bytes(sum), ReplayedProgram.STATE, bytes(iteration)));
  }

  private static long sum(long iteration) {
    return iteration * (iteration + 1) / 2;
  }

  private Certifier certifier(long end, int threads, long forgotten) {
    return new Certifier(store, new Adding(end, threads, forgotten));
  }

  private Certifier certifier() {
    return certifier(LAST, THREADS, 0);
  }

  @Test
  void theWayBetweenTwoCheckpointsIsCertified() {
    keep(5, sum(5));
    keep(LAST, sum(LAST));

    assertThat(certifier().certifyNewest()).get().isInstanceOf(Verdict.Certified.class);

    assertThat(store.certificates())
        .singleElement()
        .matches(found -> found.id().equals(id(LAST)))
        .matches(found -> found.predecessor().orElseThrow().id().equals(id(5)))
        .matches(found -> found.regions().keySet().equals(Set.of("sum", "training-state")))
        .matches(found -> "2".equals(found.facts().get("openmp-threads")));
  }

  @Test
  void theOldestIsReplayedFromTheStart() {
    keep(5, sum(5));

    assertThat(certifier().certify(id(5))).isInstanceOf(Verdict.Certified.class);
  }

  @Test
  void otherBytesAreRefutedByTheirRegion() {
    keep(5, sum(5));
    keep(LAST, sum(LAST) + 1);

    assertThat(certifier().certify(id(LAST)))
        .asInstanceOf(type(Verdict.Refuted.class))
        .matches(refuted -> refuted.differences().equals(List.of("sum")))
        .matches(refuted -> refuted.predecessor().orElseThrow().equals(id(5)));
    assertThat(store.certificates()).isEmpty();
  }

  @Test
  void stateThatARestoreForgetsIsRefuted() {
    keep(5, sum(5));
    keep(LAST, sum(LAST));

    assertThat(certifier(LAST, THREADS, 1).certify(id(LAST))).isInstanceOf(Verdict.Refuted.class);
  }

  @Test
  void partsOfTheStateAreNamed() {
    keep(5, sum(5));
    store
        .bytes()
        .put(LAST, Map.of("sum", bytes(sum(LAST)), ReplayedProgram.STATE, bytes(LAST + 1)));

    assertThat(certifier().certify(id(LAST)))
        .asInstanceOf(type(Verdict.Refuted.class))
        .matches(refuted -> refuted.differences().equals(List.of("training-state: iteration")));
  }

  @Test
  void anotherNumberOfThreadsDecidesNothing() {
    keep(5, sum(5));
    keep(LAST, sum(LAST));

    assertThat(certifier(LAST, THREADS + 1, 0).certify(id(LAST)))
        .asInstanceOf(type(Verdict.Undecided.class))
        .matches(undecided -> undecided.reason().contains("2 OpenMP threads, this process uses 3"));
  }

  /** Nobody knows with how many threads it was computed, so other bytes prove nothing. */
  @Test
  void aCheckpointWithoutAStateDecidesNothing() {
    store.bytes().put(LAST, Map.of("count", bytes(LAST)));
    ReplayedProgram counting =
        new Stateless(
            checkpointer -> {
              long[] count = {-1};
              checkpointer.protect(
                  Region.of("count", () -> bytes(count[0]), saved -> count[0] = first(saved)));
              while (count[0] < LAST) {
                count[0]++;
                var unused = checkpointer.checkpoint(count[0]);
              }
            });

    assertThat(new Certifier(store, counting).certify(id(LAST)))
        .asInstanceOf(type(Verdict.Undecided.class))
        .matches(undecided -> undecided.reason().contains("no blob training-state"));
    assertThat(store.certificates()).isEmpty();
  }

  /** A program that keeps nothing beside its regions. */
  private record Stateless(Consumer<Checkpointer> training) implements ReplayedProgram {
    @Override
    public void run(Checkpointer checkpointer) {
      training.accept(checkpointer);
    }

    @Override
    public int threads() {
      return THREADS;
    }

    @Override
    public int threads(byte[] state) {
      throw new IllegalStateException("there is no state");
    }

    @Override
    public List<String> differences(byte[] state, byte[] other) {
      throw new IllegalStateException("there is no state");
    }

    @Override
    public Digest digest(long address, long bytes) {
      throw new IllegalStateException("all regions are blobs");
    }
  }

  /** Looks at what is idle are answered in turn. */
  @Test
  void aWatchCertifiesOneOfEachPeriodWhileProcessorsAreIdle() {
    keep(5, sum(5));
    keep(8, sum(8));
    keep(LAST, sum(LAST));
    List<Long> certified = new ArrayList<>();
    int[] looks = {0};
    int[] pauses = {0};

    certifier()
        .watch(
            100,
            () -> looks[0] < 3,
            verdict -> certified.add(verdict.id().iteration()),
            () -> ++looks[0] > 1,
            () -> pauses[0]++);

    // busy, then the newest, and nothing more of the same hundred iterations
    assertThat(certified).containsExactly(LAST);
    assertThat(pauses[0]).isEqualTo(2);
  }

  @Test
  void aTrainingThatEndsBeforeDecidesNothing() {
    keep(5, sum(5));
    keep(LAST, sum(LAST));

    assertThat(certifier(LAST - 1, THREADS, 0).certify(id(LAST)))
        .asInstanceOf(type(Verdict.Undecided.class))
        .matches(undecided -> undecided.reason().contains("ended without iteration 11"));
  }

  @Test
  void anAbsentCheckpointIsRefused() {
    keep(5, sum(5));

    assertThatThrownBy(() -> certifier().certify(id(6)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no checkpoint at STORE");
  }

  @Test
  void aCoupledGroupIsRefused() {
    Store coupled = new Store(new Member(OneWeight.GROUP, 0, 2));

    assertThatThrownBy(() -> new Certifier(coupled, new Adding(LAST, THREADS, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one by one");
  }
}
