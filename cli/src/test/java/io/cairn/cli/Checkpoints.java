package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.Parts;
import io.cairn.flush.format.RankChunks;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;

/** Writes real checkpoints into a local store, and damages them. */
final class Checkpoints implements AutoCloseable {
  /** Bytes of one rank's only region. */
  static final int REGION_BYTES = 10_000;

  private static final int CHUNK_BYTES = 4096;
  private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

  private final Path root;
  private final CheckpointStore store;
  private ContainerWriter writer = new ContainerWriter(CHUNK_BYTES);
  private Fingerprint program = Fingerprint.NONE;
  private int nonces;

  Checkpoints(Path root) throws IOException {
    this.root = root;
    this.store = CheckpointStores.open(root.toString());
  }

  /** Compresses the chunks of later checkpoints. */
  void compress(Compression compression) {
    writer = new ContainerWriter(CHUNK_BYTES, compression);
  }

  /** Later checkpoints are of this program. */
  void writtenBy(Fingerprint other) {
    program = other;
  }

  /** The group takes its next epoch. */
  long takeEpoch(GroupId group) throws IOException {
    return new EpochFiles(store, Clock.fixed(NOON, ZoneOffset.UTC)).take(group, 0, "worker 7");
  }

  /** Writes and commits; one container per rank. */
  CheckpointId write(GroupId group, int size, long epoch, long iteration, Ancestry ancestry)
      throws IOException {
    CheckpointId id = new CheckpointId(group, epoch, iteration);
    List<ContainerSummary> containers = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      containers.add(container(new Member(group, rank, size), id));
    }
    CheckpointManifest manifest =
        new CheckpointManifest(id, size, Optional.empty(), ancestry, "n" + nonces++, containers);
    assertThat(new ManifestCommit(store).commit(manifest, StoreNames.MANIFEST))
        .isInstanceOf(CommitOutcome.Committed.class);
    return id;
  }

  /** Marks a checkpoint as sealed. */
  void markSealed(CheckpointId sealed) throws IOException {
    new GroupMemory(store).markSealed(sealed);
  }

  /** Marks a checkpoint as the last one of a training that ended in order. */
  void markEnd(CheckpointId last) throws IOException {
    new GroupMemory(store).markEnd(last);
  }

  /** Like {@link #write}, but for one rank and with these chunks only. */
  void writePart(GroupId group, long epoch, long iteration, RankChunks.Part part)
      throws IOException {
    CheckpointId id = new CheckpointId(group, epoch, iteration);
    ContainerSummary container = container(new Member(group, 0, 1), id, part);
    CheckpointManifest manifest =
        new CheckpointManifest(
            id, 1, Optional.empty(), Ancestry.NONE, "n" + nonces++, List.of(container));
    assertThat(new ManifestCommit(store).commit(manifest, StoreNames.MANIFEST))
        .isInstanceOf(CommitOutcome.Committed.class);
  }

  /** Writes and commits a checkpoint of one rank in two parts. */
  CheckpointId writeInParts(GroupId group, long epoch, long iteration) throws IOException {
    CheckpointId id = new CheckpointId(group, epoch, iteration);
    List<ContainerSummary> containers = new ArrayList<>();
    for (int index = 0; index < 2; index++) {
      int part = index;
      containers.add(
          container(
              new Member(group, 0, 1),
              id,
              (region, chunk) -> chunk % 2 == part,
              Parts.name(0, part, 2)));
    }
    CheckpointManifest manifest =
        new CheckpointManifest(id, 1, Optional.empty(), Ancestry.NONE, "n" + nonces++, containers);
    assertThat(new ManifestCommit(store).commit(manifest, StoreNames.MANIFEST))
        .isInstanceOf(CommitOutcome.Committed.class);
    return id;
  }

  /** Writes one rank's checkpoint as its own container and another holder's. */
  void writeShared(GroupId group, long epoch, long iteration, RankChunks.Part own, String holder)
      throws IOException {
    CheckpointId id = new CheckpointId(group, epoch, iteration);
    Member member = new Member(group, 0, 1);
    ContainerSummary mine = container(member, id, own);
    ContainerSummary theirs =
        container(
            member,
            id,
            (region, chunk) -> !own.holds(region, chunk),
            StoreNames.container(member.rank(), holder));
    CheckpointManifest manifest =
        new CheckpointManifest(
            id, 1, Optional.empty(), Ancestry.NONE, "n" + nonces++, List.of(mine, theirs));
    assertThat(new ManifestCommit(store).commit(manifest, StoreNames.manifestPart(member.rank())))
        .isInstanceOf(CommitOutcome.Committed.class);
  }

  /** Writes one rank's container and publishes nothing. */
  ContainerSummary container(Member member, CheckpointId id) throws IOException {
    return container(member, id, (region, chunk) -> true);
  }

  private ContainerSummary container(Member member, CheckpointId id, RankChunks.Part part)
      throws IOException {
    return container(member, id, part, StoreNames.container(member.rank()));
  }

  /** Writes some of one rank's chunks and publishes nothing. */
  ContainerSummary container(Member member, CheckpointId id, RankChunks.Part part, String name)
      throws IOException {
    byte[] content = new byte[REGION_BYTES];
    // the second half is zero
    byte[] half = new byte[REGION_BYTES / 2];
    new Random(id.iteration() * 31 + member.rank()).nextBytes(half);
    System.arraycopy(half, 0, content, 0, half.length);
    ChunkReader chunks =
        (region, chunk, into) ->
            into.put(content, chunk * CHUNK_BYTES, length(content, chunk * CHUNK_BYTES));
    return writer
        .write(
            store,
            id,
            member.size(),
            List.of(new RankChunks(member.rank(), List.of(image(content)), chunks, part)),
            name)
        .writtenBy(program);
  }

  /** The container of one rank. */
  Path containerFile(CheckpointId id, int rank) {
    return root.resolve(StoreNames.file(id, StoreNames.container(rank)));
  }

  /** Inverts one byte. */
  static void flip(Path file, long offset) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, offset);
      one.put(0, (byte) ~one.get(0)).rewind();
      channel.write(one, offset);
    }
  }

  /** Cuts a file. */
  static void truncate(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    store.close();
  }

  private static RegionImage image(byte[] content) {
    int[] checksums = new int[RegionImage.chunks(content.length, CHUNK_BYTES)];
    for (int chunk = 0; chunk < checksums.length; chunk++) {
      CRC32C crc = new CRC32C();
      crc.update(content, chunk * CHUNK_BYTES, length(content, chunk * CHUNK_BYTES));
      checksums[chunk] = (int) crc.getValue();
    }
    return new RegionImage("parameters", content.length, CHUNK_BYTES, checksums);
  }

  private static int length(byte[] content, int from) {
    return Math.min(CHUNK_BYTES, content.length - from);
  }
}
