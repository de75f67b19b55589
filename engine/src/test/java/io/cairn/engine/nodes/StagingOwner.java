package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
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
import io.cairn.flush.format.Base;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.Leaning;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** A node with one rank's data of any length, and its ways to staging servers. */
final class StagingOwner {
  static final int CHUNK_BYTES = 64 << 10;

  /** Upon no other container, but another one may lean on it. */
  private static final Leaning WHOLE = new Leaning(Optional.empty(), 1);

  static final String BIRTH = "0123abcd-0000-4000-8000-000000000000";

  final MemoryStore node;
  final CheckpointManifest part;
  private final SampleRank sample;

  /** Owns these bytes of a rank, made up from its number. */
  StagingOwner(CheckpointId id, int rank, int size, int bytes) throws IOException {
    this(
        id,
        size,
        SampleRank.of(rank, CHUNK_BYTES, content(rank, bytes)),
        WHOLE,
        new MemoryStore("owner's node"));
  }

  private StagingOwner(
      CheckpointId id, int size, SampleRank sample, Leaning leaning, MemoryStore node)
      throws IOException {
    this.node = node;
    this.sample = sample;
    String file = StoreNames.container(sample.rank());
    List<ContainerSummary> containers =
        new ContainerWriter(CHUNK_BYTES)
            .write(node, id, size, sample.chunks(), file, leaning)
            .containers();
    this.part = Written.manifest(id, size, Ancestry.NONE, containers);
    new ManifestCommit(node).commit(part, StoreNames.manifestPart(sample.rank()));
  }

  /**
   * Owns the only rank, of which every second chunk lies in the container of an older checkpoint.
   */
  static StagingOwner layered(CheckpointId older, CheckpointId id, int bytes) throws IOException {
    byte[] content = content(0, bytes);
    MemoryStore node = new MemoryStore("owner's node");
    Base base =
        new ContainerWriter(CHUNK_BYTES)
            .write(
                node,
                older,
                1,
                SampleRank.of(0, CHUNK_BYTES, content.clone()).chunks(),
                StoreNames.container(0),
                WHOLE);
    for (int at = 0; at < bytes; at += 2 * CHUNK_BYTES) {
      content[at]++;
    }
    SampleRank changed = SampleRank.of(0, CHUNK_BYTES, content);
    return new StagingOwner(id, 1, changed, new Leaning(Optional.of(base), 1), node);
  }

  private static byte[] content(int rank, int bytes) {
    byte[] content = new byte[bytes];
    new SplittableRandom(rank).nextBytes(content);
    return content;
  }

  static HttpAddress address(int port, String secret) {
    return new HttpAddress(HttpService.STAGING, "127.0.0.1", port, Optional.of(secret));
  }

  static StagingDialogue.Server server(int port, String secret) {
    return new StagingDialogue.Server(
        "the server at " + port, new HttpExchangeClient(address(port, secret)));
  }

  StagingDialogue dialogue(StagingDialogue.Server with) {
    return new StagingDialogue(with, part, BIRTH, node, () -> false, System::nanoTime);
  }

  /** Claims epoch 1 of the group at STORE, for its birth. */
  static void claim(CheckpointStore store) throws IOException {
    String claim = "a test\n\nbirth " + BIRTH + "\n";
    try (StoreOutput out = store.create(StoreNames.epoch(Written.GROUP, 1))) {
      out.write(ByteBuffer.wrap(claim.getBytes(StandardCharsets.UTF_8)));
      out.sync();
    }
  }

  StagingRequest.Announce announce(String attempt, String store) {
    return new StagingRequest.Announce(
        attempt, "an owner", store, BIRTH, ByteBuffer.wrap(ManifestCodec.encode(part)));
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
    return store.list(StoreNames.checkpoint(id)).stream().map(entry -> entry.name()).toList();
  }
}
