package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Holder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Parts that lean on older checkpoints, which have as many parts or another number. */
class LayeredPartsTest {
  private static final GroupId GROUP = new GroupId("job", "group");
  private static final int[] NUMBERS = {1, 2, 3, 5};

  private final MemoryStore store = new MemoryStore("m");
  private final LayeredRank rank = new LayeredRank(0, 1, 8, new SplittableRandom(1));
  private final PartsWriter writer = new PartsWriter(() -> new ContainerWriter(LayeredRank.CHUNK));

  private static CheckpointId id(long iteration) {
    return new CheckpointId(GROUP, 1, iteration);
  }

  private Base write(LayeredRank of, long iteration, int parts, Optional<Base> base, int most)
      throws IOException {
    SampleRank sample = of.sample();
    return writer.write(
        store,
        id(iteration),
        1,
        sample.chunks(),
        Collections.nCopies(parts, sample.reader()),
        new Leaning(base, most));
  }

  private void assertReads(Base written, SampleRank expected, String what) throws IOException {
    assertThat(LayeredRank.read(store, written.id(), 0, written.containers()))
        .as(what)
        .usingElementComparator(Arrays::compare)
        .isEqualTo(expected.contents());
  }

  private static long bytes(Base written) {
    return written.containers().stream().mapToLong(ContainerSummary::bytes).sum();
  }

  @RepeatedTest(40)
  void everyStateOfAChainIsReadHoweverItsPartsChange(RepetitionInfo info) throws IOException {
    int seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    LayeredRank changing = new LayeredRank(0, 1, 8, random);
    int most = 1 + random.nextInt(6);
    List<Base> written = new ArrayList<>();
    List<SampleRank> expected = new ArrayList<>();

    for (int iteration = 0; iteration < 20; iteration++) {
      Optional<Base> base =
          written.isEmpty() ? Optional.empty() : Optional.of(written.get(iteration - 1));
      int parts = NUMBERS[random.nextInt(NUMBERS.length)];
      written.add(write(changing, iteration, parts, base, most));
      expected.add(changing.sample());
      changing.change(random);
    }

    for (int iteration = 0; iteration < 20; iteration++) {
      String what = "seed " + seed + ", iteration " + iteration;
      assertReads(written.get(iteration), expected.get(iteration), what);
      for (ContainerSummary container : written.get(iteration).containers()) {
        assertThat(container.holders()).as(what).hasSizeLessThanOrEqualTo(most);
      }
    }
  }

  /** A chunk that did not change is not written, whichever part of the base has it. */
  @Test
  void aLayerLeansOnEveryPartOfItsBase() throws IOException {
    Base base = write(rank, 1, 3, Optional.empty(), 8);

    Base whole = write(rank, 2, 1, Optional.of(base), 8);
    Base two = write(rank, 3, 2, Optional.of(whole), 8);

    List<Holder> parts = base.containers().stream().map(each -> Holder.of(id(1), each)).toList();
    assertThat(whole.containers().get(0).holders()).containsExactlyInAnyOrderElementsOf(parts);
    assertThat(two.containers()).allSatisfy(each -> assertThat(parts).containsAll(each.holders()));
    assertThat(bytes(base) - bytes(whole)).isGreaterThan(12 * LayeredRank.CHUNK);
    assertReads(two, rank.sample(), "two");
  }

  /** Two parts of the base lean on one older container, which counts once. */
  @Test
  void aHolderOfSeveralPartsIsNamedOnce() throws IOException {
    Base whole = write(rank, 1, 1, Optional.empty(), 8);
    for (int chunk = 0; chunk < 10; chunk += 2) {
      rank.change(chunk);
    }
    Base five = write(rank, 2, 1, Optional.of(whole), 8);
    Base parts = write(rank, 3, 3, Optional.of(five), 8);
    assertThat(parts.containers())
        .filteredOn(part -> part.holders().size() == 1)
        .hasSizeGreaterThan(1);

    Base last = write(rank, 4, 1, Optional.of(parts), 1);

    assertThat(last.containers().get(0).holders())
        .containsExactly(Holder.of(id(2), five.containers().get(0)));
    assertReads(last, rank.sample(), "last");
  }

  /** The other part's chunks do not decide which of the holders a part keeps. */
  @Test
  void eachPartKeepsTheHoldersOfItsOwnChunks() throws IOException {
    Base base = write(rank, 1, 2, Optional.empty(), 1);

    Base next = write(rank, 2, 2, Optional.of(base), 1);

    for (int part = 0; part < 2; part++) {
      assertThat(next.containers().get(part).holders())
          .containsExactly(Holder.of(id(1), base.containers().get(part)));
    }
    assertThat(bytes(base) - bytes(next)).isGreaterThan(12 * LayeredRank.CHUNK);
  }
}
