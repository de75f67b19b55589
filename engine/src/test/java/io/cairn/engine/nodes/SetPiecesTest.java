package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.redundancy.ParityHeader;
import io.cairn.flush.redundancy.ParityWriter;
import io.cairn.flush.redundancy.RebuiltRank;
import io.cairn.flush.store.StoreInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pieces of a set of three ranks with two parities, of which some cannot be opened. */
class SetPiecesTest {
  private static final int RANKS = 3;
  private static final CheckpointId ID = Written.id(1, 20);

  private final MemoryStore node = new MemoryStore("node");
  private final List<CheckpointManifest> parts = new ArrayList<>();
  private final List<ContainerSummary> parities = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    for (int rank = 0; rank < RANKS; rank++) {
      ContainerSummary container = Written.container(node, ID, rank, RANKS);
      parts.add(Written.manifest(ID, RANKS, Ancestry.NONE, List.of(container)));
    }
    List<ParityHeader.Member> members =
        parts.stream().map(part -> new ParityHeader.Member("a node", part)).toList();
    for (int index = 0; index < 2; index++) {
      ParityHeader header = new ParityHeader("rs", index, List.of("one", "two"), members);
      parities.add(ParityWriter.write(header, node, node));
    }
  }

  private SetPieces piecesOfRank(int rank) {
    SetPieces pieces = SetPieces.of(rank);
    parities.forEach(parity -> pieces.addParity(node, ID, parity));
    return pieces;
  }

  @Test
  void aParityTakesThePlaceOfDataThatCannotBeOpened() throws IOException {
    byte[] lost = node.content(file(0));
    node.delete(file(1));
    SetPieces pieces = piecesOfRank(0);

    assertThat(pieces.addData(1, parts.get(1), node)).isFalse();
    assertThat(pieces.addData(2, parts.get(2), node)).isTrue();

    try (RebuiltRank rebuilt = pieces.rebuild();
        StoreInput in = rebuilt.open(file(0))) {
      ByteBuffer bytes = ByteBuffer.allocate(lost.length);
      in.readFully(0, bytes);
      assertThat(bytes.array()).isEqualTo(lost);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRottenPieceIsLeftOutIfASpareTakesItsPlace(boolean isParity) throws IOException {
    List<byte[]> contents;
    try (RankReader whole = RankReader.open(node, ID, 0, parts.get(0).containers())) {
      contents = SampleRank.readAll(whole.images(), whole);
    }
    String rotten = isParity ? StoreNames.file(ID, parities.get(0).file()) : file(1);
    int length = node.content(rotten).length;
    int header = isParity ? length - node.content(file(0)).length : 0;
    for (int at = header; at < length; at += 7) {
      node.flip(rotten, 8L * at);
      SetPieces pieces = piecesOfRank(0);
      pieces.addData(1, parts.get(1), node);
      pieces.addData(2, parts.get(2), node);

      try (RebuiltChunks chunks = RebuiltChunks.open(pieces.rebuild(), ID, 0)) {
        assertThat(SampleRank.readAll(chunks.images(), chunks))
            .as("byte %d of %s is rotten", at, rotten)
            .usingElementComparator(Arrays::compare)
            .isEqualTo(contents);
      }
      node.flip(rotten, 8L * at);
    }
  }

  @Test
  void withoutASpareARottenPieceIsReported() throws IOException {
    node.flip(file(1), 8L * (node.content(file(1)).length / 3));
    SetPieces pieces = SetPieces.of(0);
    pieces.addParity(node, ID, parities.get(0));
    pieces.addData(1, parts.get(1), node);
    pieces.addData(2, parts.get(2), node);

    assertThatThrownBy(
            () -> {
              try (RebuiltChunks chunks = RebuiltChunks.open(pieces.rebuild(), ID, 0)) {
                SampleRank.readAll(chunks.images(), chunks);
              }
            })
        .isInstanceOf(FormatException.class);
  }

  @Test
  void tooFewPiecesNameThoseThatAreMissing() throws IOException {
    node.delete(file(1));
    SetPieces pieces = SetPieces.of(0);
    pieces.addParity(node, ID, parities.get(1));

    pieces.addData(1, parts.get(1), node);
    pieces.addData(2, parts.get(2), node);

    assertThatThrownBy(pieces::rebuild)
        .hasMessageContaining("rank 1 of a node")
        .hasMessageContaining("parity 0 of one");
    pieces.closeAfter(new IOException());
  }

  private String file(int rank) {
    return StoreNames.file(ID, parts.get(rank).containers().get(0).file());
  }
}
