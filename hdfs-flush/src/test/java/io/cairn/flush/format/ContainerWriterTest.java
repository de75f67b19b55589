package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.model.ChunkReader;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class ContainerWriterTest {
  private static final GroupId GROUP = new GroupId("job", "group");
  private static final CheckpointId ID = new CheckpointId(GROUP, 3, 42);
  private static final Member MEMBER = new Member(GROUP, 0, 1);

  private final MemoryStore store = new MemoryStore("m");
  private final SampleRank sample = SampleRank.small(0, 1);

  @Test
  void aChunkThatArrivesDamagedIsNotWritten() {
    ChunkReader damaged =
        (region, chunk, into) -> {
          sample.reader().read(region, chunk, into);
          if (region == 2 && chunk == 1) {
            into.put(into.position() - 1, (byte) ~into.get(into.position() - 1));
          }
        };
    byte[] arrived = sample.contents().get(2).clone();
    arrived[63] = (byte) ~arrived[63];
    CRC32C crc = new CRC32C();
    crc.update(arrived, 32, 32);
    assertThatThrownBy(() -> write(damaged))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rank 0, region r2, chunk 1 of 2")
        .hasMessageContaining(ChunkChecksum.show((int) crc.getValue()))
        .hasMessageContaining(ChunkChecksum.show(sample.images().get(2).checksum(1)));
    assertThat(store.files).as("what was written is taken away").isEmpty();
  }

  @Test
  void aChunkThatArrivesShortIsNotWritten() {
    assertThatThrownBy(() -> write((region, chunk, into) -> into.put((byte) 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chunk 0 of 4 arrived as 1 bytes")
        .hasMessageContaining("captured were 32 bytes");
  }

  @Test
  void aSourceThatFailsLeavesNothing() {
    assertThatThrownBy(
            () ->
                write(
                    (region, chunk, into) -> {
                      throw new IOException("evicted");
                    }))
        .hasMessage("evicted");
    assertThat(store.files).isEmpty();
  }

  @Test
  void aLateSourceHasSeveralReadsUnderWay() throws IOException {
    LateReader late = new LateReader(sample.reader());
    write(sample.reader());
    byte[] expected = store.content(StoreNames.file(ID, StoreNames.container(0)));
    store.files.clear();

    write(late);

    assertThat(late.mostUnderWay()).isEqualTo(4);
    assertThat(store.content(StoreNames.file(ID, StoreNames.container(0)))).isEqualTo(expected);
  }

  @Test
  void aLateSourceThatArrivesDamagedHasNoReadUnderWay() {
    LateReader late = new LateReader((region, chunk, into) -> into.put((byte) 1));

    assertThatThrownBy(() -> write(late)).hasMessageContaining("chunk 0 of 4 arrived as 1 bytes");

    assertThat(late.underWay()).isZero();
  }

  @Test
  void chunksInMappedMemoryAreWrittenFromThere() throws IOException {
    write(sample.reader());
    byte[] expected = store.content(StoreNames.file(ID, StoreNames.container(0)));
    store.files.clear();
    MappedReader mapped = new MappedReader(sample);

    write(mapped);

    assertThat(store.content(StoreNames.file(ID, StoreNames.container(0)))).isEqualTo(expected);
    assertThat(mapped.open()).isZero();
  }

  @Test
  void aDamagedChunkInMappedMemoryIsNotWritten() {
    MappedReader mapped = new MappedReader(sample);
    sample.contents().get(2)[63]++;

    assertThatThrownBy(() -> write(mapped)).hasMessageContaining("rank 0, region r2, chunk 1 of 2");

    assertThat(store.files).isEmpty();
    assertThat(mapped.open()).isZero();
  }

  @Test
  void anExistingContainerIsNotTouched() throws IOException {
    write(sample.reader());
    byte[] before = store.content(StoreNames.file(ID, StoreNames.container(0)));
    assertThatThrownBy(() -> write(SampleRank.small(0, 2).reader()))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(store.content(StoreNames.file(ID, StoreNames.container(0)))).isSameAs(before);
  }

  @Test
  void chunksLongerThanTheStagingBufferAreRefusedBeforeAnythingIsWritten() {
    assertThatThrownBy(
            () ->
                new ContainerWriter(16).write(store, MEMBER, ID, sample.images(), sample.reader()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("chunks of 32 bytes, at most 16");
    assertThat(store.files).isEmpty();
  }

  @Test
  void ranksMustRiseAndLieInTheGroup() {
    ContainerWriter writer = new ContainerWriter(64);
    RankChunks zero = sample.chunks();
    assertThatThrownBy(() -> writer.write(store, ID, 2, List.of(zero, zero)))
        .hasMessageContaining("ranks must rise and be below 2");
    assertThatThrownBy(() -> writer.write(store, ID, 2, List.of(SampleRank.small(2, 1).chunks())))
        .hasMessageContaining("ranks must rise and be below 2");
    assertThatThrownBy(() -> writer.write(store, ID, 2, List.of()))
        .hasMessageContaining("with 0 ranks");
  }

  @Test
  void aMemberOfAnotherGroupIsRefused() {
    Member stranger = new Member(new GroupId("job", "other"), 0, 1);
    assertThatThrownBy(
            () ->
                new ContainerWriter(64)
                    .write(store, stranger, ID, sample.images(), sample.reader()))
        .hasMessageContaining("job/other rank 0/1 does not belong to job/group e3-i42");
  }

  private void write(ChunkReader source) throws IOException {
    new ContainerWriter(64).write(store, MEMBER, ID, sample.images(), source);
  }
}
