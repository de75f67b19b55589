package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.Wire;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.LayeredRank;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A checkpoint at another node that leans on older ones there. */
@Timeout(60)
class HoldersAtNodesTest {
  private static final String BIRTH = "0123abcd-0000-4000-8000-000000000000";
  private static final NodeSite SITE = new NodeSite("a1", "a:/node", "a", new PeerAddress("a1", 1));
  private static final CheckpointId FIRST = Written.id(1, 1);
  private static final CheckpointId SECOND = Written.id(1, 2);

  private final MemoryStore node = new MemoryStore("node");
  private final CheckpointStore life =
      new SubdirectoryStore(node, StoreNames.life(Written.GROUP, BIRTH));
  private final ExecutorService thread = NodeServer.thread();
  private final NodeServer server = new NodeServer(Written.GROUP.job(), node, bytes -> {}, thread);
  private final AnsweringPeers peers =
      new AnsweringPeers(
          (peer, request) ->
              server
                  .answer(Wire.encode(request))
                  .thenApply(bytes -> Wire.decode(bytes, PeerReply.class)));
  private final LayeredRank rank = new LayeredRank(0, 1, 8, new SplittableRandom(1));

  @AfterEach
  void close() {
    thread.shutdownNow();
  }

  private NodeFiles files(ContainerSummary container) {
    Asking asking = new Asking(peers, Duration.ofSeconds(10));
    return new NodeFiles(asking, SITE, Level.NODE, SECOND, BIRTH, List.of(container), bytes -> {});
  }

  @Test
  void isReadWithTheContainersThatItLeansOn() throws IOException {
    rank.write(life, FIRST);
    rank.change(3);
    ContainerSummary second = rank.write(life, SECOND);

    try (RankReader reader = RankReader.open(files(second), SECOND, 0, List.of(second))) {
      assertThat(SampleRank.readAll(reader.images(), reader))
          .usingElementComparator(Arrays::compare)
          .isEqualTo(rank.sample().contents());
    }
  }

  @Test
  void opensNoOtherFilesOfThatNode() throws IOException {
    rank.write(life, FIRST);
    ContainerSummary second = rank.write(life, SECOND);

    assertThatThrownBy(() -> files(second).open(StoreNames.file(FIRST, StoreNames.container(1))))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(
            () -> files(second).open(StoreNames.file(Written.id(1, 0), StoreNames.container(0))))
        .isInstanceOf(NoSuchFileException.class);
  }

  /** A copy of the rank's own containers would be worth nothing without the older ones. */
  @Test
  void isNoWholeCopyForPeer() throws IOException {
    rank.write(life, FIRST);
    ContainerSummary second = rank.write(life, SECOND);
    CheckpointManifest part = Written.manifest(SECOND, 1, Ancestry.NONE, List.of(second));

    assertThatThrownBy(
            () -> RankPart.decodeWhole(ByteBuffer.wrap(ManifestCodec.encode(part)), "the order"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("leans on older checkpoints");
  }
}
