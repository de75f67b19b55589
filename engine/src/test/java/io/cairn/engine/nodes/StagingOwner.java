package io.cairn.engine.nodes;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.wire.StagingReply;
import io.cairn.core.wire.StagingRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Exchange;
import io.cairn.engine.coordination.HttpAddress;
import io.cairn.engine.coordination.HttpExchangeClient;
import io.cairn.engine.coordination.HttpService;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.Layout;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** A node with one rank's data of any length, and its ways to staging servers. */
final class StagingOwner {
  static final int CHUNK_BYTES = 64 << 10;

  final MemoryStore node = new MemoryStore("owner's node");
  final CheckpointManifest part;
  private final SampleRank sample;

  /** Owns these bytes of a rank, made up from its number. */
  StagingOwner(CheckpointId id, int rank, int size, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new SplittableRandom(rank).nextBytes(content);
    this.sample = SampleRank.of(rank, CHUNK_BYTES, content);
    ContainerSummary container =
        new ContainerWriter(CHUNK_BYTES).write(node, id, size, List.of(sample.chunks()));
    this.part = Written.manifest(id, size, Ancestry.NONE, List.of(container));
    new ManifestCommit(node).commit(part, Layout.manifestPart(rank));
  }

  static HttpAddress address(int port, String secret) {
    return new HttpAddress(HttpService.STAGING, "127.0.0.1", port, Optional.of(secret));
  }

  static StagingDialogue.Server server(int port, String secret) {
    return new StagingDialogue.Server(
        "the server at " + port, new HttpExchangeClient(address(port, secret)));
  }

  StagingDialogue dialogue(StagingDialogue.Server with) {
    return new StagingDialogue(with, part, node, () -> false, System::nanoTime);
  }

  StagingRequest.Announce announce(String attempt, String store) {
    return new StagingRequest.Announce(
        attempt, "an owner", store, ByteBuffer.wrap(ManifestCodec.encode(part)));
  }

  /** Says one thing to a server. */
  static StagingReply say(Exchange exchange, StagingRequest request) throws Exception {
    return Wire.decodeStagingReply(exchange.ask(Wire.encode(request)).toCompletableFuture().get());
  }

  /** Requires the same bytes in a container at STORE. */
  void requireSame(CheckpointStore store, ContainerSummary container) throws IOException {
    try (RankReader reader = RankReader.open(store, part.id(), sample.rank(), List.of(container))) {
      List<byte[]> found = SampleRank.readAll(reader.images(), reader);
      if (!Arrays.equals(found.get(0), sample.contents().get(0))) {
        throw new IOException(container + " has other bytes than its owner");
      }
    }
  }

  /** The files of the checkpoint at STORE. */
  static List<String> files(CheckpointStore store, CheckpointId id) throws IOException {
    return store.list(Layout.checkpoint(id)).stream().map(entry -> entry.name()).toList();
  }
}
