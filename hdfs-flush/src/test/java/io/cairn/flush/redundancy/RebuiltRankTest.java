package io.cairn.flush.redundancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.StoreInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Containers of a set of ranks, their parities as files, and what is rebuilt from the rest. */
class RebuiltRankTest {
  private static final CheckpointId ID = Written.id(3, 40);

  private final MemoryStore node = new MemoryStore("nodes");
  private final List<CheckpointManifest> parts = new ArrayList<>();
  private final List<ContainerSummary> parities = new ArrayList<>();

  /** Ranks differ in length. */
  private static SampleRank sample(int rank) {
    byte[] region = new byte[100 + 70 * (rank % 3)];
    new Random(rank).nextBytes(region);
    return SampleRank.of(rank, 32, region);
  }

  private void write(String scheme, int ranks, int parityCount) throws IOException {
    for (int rank = 0; rank < ranks; rank++) {
      ContainerSummary container =
          new ContainerWriter(64).write(node, ID, ranks, List.of(sample(rank).chunks()));
      parts.add(Written.manifest(ID, ranks, Ancestry.NONE, List.of(container)));
    }
    for (int index = 0; index < parityCount; index++) {
      parities.add(ParityWriter.write(header(scheme, index, parityCount), node, node));
    }
  }

  private ParityHeader header(String scheme, int index, int parityCount) {
    List<String> holders = new ArrayList<>();
    for (int holder = 0; holder < parityCount; holder++) {
      holders.add("holder-" + holder);
    }
    List<ParityHeader.Member> members =
        parts.stream()
            .map(part -> new ParityHeader.Member("node-of-" + part.ranks(), part))
            .toList();
    return new ParityHeader(scheme, index, holders, members);
  }

  /** A rank, computed from the first pieces that are not lost. */
  private RebuiltRank rebuilt(int rank, Set<Integer> lost) throws IOException {
    ParityHeader header = ParityInput.open(node, ID, parities.get(0)).header();
    Map<Integer, StoreInput> pieces = new TreeMap<>();
    for (int index = 0; index < parts.size() + parities.size(); index++) {
      if (pieces.size() < parts.size() && !lost.contains(index)) {
        pieces.put(
            index,
            index < parts.size()
                ? ParityInput.data(node, parts.get(index))
                : ParityInput.open(node, ID, parities.get(index - parts.size())));
      }
    }
    return new RebuiltRank("rebuilt", header, rank, pieces);
  }

  private static byte[] bytes(RebuiltRank rebuilt, String file) throws IOException {
    try (StoreInput in = rebuilt.open(StoreNames.file(ID, file))) {
      ByteBuffer bytes = ByteBuffer.allocate((int) in.length());
      in.readFully(0, bytes);
      return bytes.array();
    }
  }

  @ParameterizedTest
  @CsvSource({"xor,1,1", "xor,4,1", "rs,1,2", "rs,2,1", "rs,4,2", "rs,3,3"})
  void everyContainerIsRebuiltAfterEveryLossThatTheCodeSurvives(
      String scheme, int ranks, int parityCount) throws IOException {
    write(scheme, ranks, parityCount);

    for (Set<Integer> lost : Losses.upTo(parityCount, ranks + parityCount)) {
      for (int rank : lost) {
        if (rank < ranks) {
          try (RebuiltRank rebuilt = rebuilt(rank, lost)) {
            String file = rebuilt.containers().get(0).file();
            assertThat(bytes(rebuilt, file))
                .as("rank %d after the loss of %s", rank, lost)
                .isEqualTo(node.content(StoreNames.file(ID, file)));
          }
        }
      }
    }
  }

  @Test
  void theReaderOfContainersVerifiesWhatIsRebuilt() throws IOException {
    write("xor", 3, 1);

    try (RebuiltRank rebuilt = rebuilt(1, Set.of(1));
        RankReader reader = RankReader.open(rebuilt, ID, 1, rebuilt.containers())) {
      assertThat(reader.images()).isEqualTo(sample(1).images());
    }
  }

  @Test
  void aRangeIsRebuiltAlone() throws IOException {
    write("rs", 3, 2);
    String file = StoreNames.container(2);
    byte[] whole = node.content(StoreNames.file(ID, file));

    try (RebuiltRank rebuilt = rebuilt(2, Set.of(0, 2));
        StoreInput in = rebuilt.open(StoreNames.file(ID, file))) {
      ByteBuffer some = ByteBuffer.allocate(13);
      in.readFully(41, some);

      assertThat(some.array()).isEqualTo(Arrays.copyOfRange(whole, 41, 54));
      assertThatThrownBy(() -> in.readFully(whole.length - 3, ByteBuffer.allocate(4)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has " + whole.length + " bytes");
    }
  }

  @Test
  void severalContainersOfARankAreOnePiece() throws IOException {
    ContainerSummary one = new ContainerWriter(64).write(node, ID, 2, List.of(sample(0).chunks()));
    ContainerSummary two = new ContainerWriter(64).write(node, ID, 2, List.of(sample(1).chunks()));
    parts.add(
        Written.manifest(
            ID,
            2,
            Ancestry.NONE,
            List.of(
                new ContainerSummary(one.file(), one.bytes(), one.indexDigest(), List.of(0)),
                new ContainerSummary(two.file(), two.bytes(), two.indexDigest(), List.of(0)))));
    parities.add(ParityWriter.write(header("xor", 0, 1), node, node));

    try (RebuiltRank rebuilt = rebuilt(0, Set.of(0))) {
      assertThat(bytes(rebuilt, two.file()))
          .isEqualTo(node.content(StoreNames.file(ID, two.file())));
    }
  }

  @Test
  void aHeaderWithAnyDamagedByteIsRefused() throws IOException {
    write("xor", 2, 1);
    String path = StoreNames.file(ID, parities.get(0).file());
    int header = 12 + ByteBuffer.wrap(node.content(path)).getInt(8);
    for (long at = 0; at < header; at++) {
      node.flip(path, 8 * at);
      assertThatThrownBy(() -> ParityInput.open(node, ID, parities.get(0)))
          .as("byte %d", at)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining(parities.get(0).file());
      node.flip(path, 8 * at);
    }
  }

  @Test
  void aTruncatedParityIsRefused() throws IOException {
    write("xor", 2, 1);
    String path = StoreNames.file(ID, parities.get(0).file());
    byte[] whole = node.content(path);
    node.files.put(path, Arrays.copyOf(whole, whole.length - 1));

    assertThatThrownBy(() -> ParityInput.open(node, ID, parities.get(0)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("its manifest says");
  }

  /** Nothing that a damaged piece leads to passes the checks of the container's reader. */
  @Test
  void aDamagedPieceIsNoticedByTheReaderOfContainers() throws IOException {
    write("xor", 3, 1);
    String other = StoreNames.file(ID, StoreNames.container(0));
    for (long bit = 3; bit < 8L * parts.get(1).bytes(); bit += 61) {
      node.flip(other, bit % (8L * node.content(other).length));
      try (RebuiltRank rebuilt = rebuilt(1, Set.of(1))) {
        byte[] wrong = bytes(rebuilt, StoreNames.container(1));
        if (!Arrays.equals(wrong, node.content(StoreNames.file(ID, StoreNames.container(1))))) {
          assertThatThrownBy(() -> verify(rebuilt)).isInstanceOf(IOException.class);
        }
      }
      node.flip(other, bit % (8L * node.content(other).length));
    }
  }

  private static void verify(RebuiltRank rebuilt) throws IOException {
    ContainerSummary container = rebuilt.containers().get(0);
    try (ContainerReader reader = ContainerReader.open(rebuilt, ID, container)) {
      reader.verify(1, ByteBuffer.allocate(64));
    }
  }
}
