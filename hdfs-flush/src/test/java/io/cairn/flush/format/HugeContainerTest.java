package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.commit.Written;
import io.cairn.flush.redundancy.ParityHeader;
import io.cairn.flush.redundancy.ParityInput;
import io.cairn.flush.redundancy.ParityWriter;
import io.cairn.flush.redundancy.RebuiltRank;
import io.cairn.flush.store.ReadableStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A region of 4.25 GiB in a container that is as long: offsets that no int holds, in index and
 * file, in references and in parities.
 */
@Timeout(120)
class HugeContainerTest {
  private static final long BYTES = 17L << 28;

  /** Not a divisor of any mark's offset, so that each lies somewhere within its chunk. */
  private static final int CHUNK = 1_000_000;

  private static final CheckpointId ID = Written.id(1, 1);

  private final SparseStore store = new SparseStore();
  private final ContainerWriter writer = new ContainerWriter(CHUNK);
  private final MarkedBytes content = new MarkedBytes(BYTES);

  private static RankChunks rank(int rank, MarkedBytes content) {
    return new RankChunks(rank, List.of(content.image("huge", CHUNK)), content.reader(CHUNK));
  }

  private static void requireMarks(
      ReadableStore store, CheckpointId id, ContainerSummary container, MarkedBytes content)
      throws IOException {
    try (ContainerReader reader = ContainerReader.open(store, id, container)) {
      assertThat(reader.images(0)).containsExactly(content.image("huge", CHUNK));
      content.requireMarks(CHUNK, reader.chunks(0));
    }
  }

  @Test
  void aNewerContainerLeansOnItAtAnyOffset() throws IOException {
    Base whole =
        writer.write(
            store,
            ID,
            1,
            rank(0, content),
            StoreNames.container(0),
            new Leaning(Optional.empty(), 1));
    assertThat(whole.containers().get(0).bytes()).isGreaterThan(BYTES);
    requireMarks(store, ID, whole.containers().get(0), content);

    content.changeLast();
    CheckpointId next = Written.id(1, 2);
    Base leaning =
        writer.write(
            store,
            next,
            1,
            rank(0, content),
            StoreNames.container(0),
            new Leaning(Optional.of(whole), 1));
    assertThat(leaning.containers().get(0).bytes()).isLessThan(2L * CHUNK);
    requireMarks(store, next, leaning.containers().get(0), content);
  }

  @Test
  void itIsRebuiltFromAParityThatIsAsLong() throws IOException {
    ContainerSummary lost = writer.write(store, ID, 2, List.of(rank(0, content)));
    ContainerSummary other = writer.write(store, ID, 2, List.of(SampleRank.small(1, 5).chunks()));
    List<CheckpointManifest> parts =
        List.of(
            Written.manifest(ID, 2, Ancestry.NONE, List.of(lost)),
            Written.manifest(ID, 2, Ancestry.NONE, List.of(other)));
    ParityHeader header =
        new ParityHeader(
            "xor",
            0,
            List.of("holder"),
            List.of(
                new ParityHeader.Member("a", parts.get(0)),
                new ParityHeader.Member("b", parts.get(1))));
    ContainerSummary parity = ParityWriter.write(header, store, store);
    assertThat(parity.bytes()).isGreaterThan(BYTES);
    store.delete(StoreNames.file(ID, lost.file()));

    try (RebuiltRank rebuilt =
        new RebuiltRank(
            "rebuilt",
            header,
            0,
            Map.of(
                1, ParityInput.data(store, parts.get(1)),
                2, ParityInput.open(store, ID, parity)))) {
      requireMarks(rebuilt, ID, lost, content);
    }
  }
}
