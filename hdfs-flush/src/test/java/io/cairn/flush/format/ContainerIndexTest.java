package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.model.ContentHash;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.codec.Encoding;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes whose digest is right, and that name chunks outside of their file. */
class ContainerIndexTest {
  private static final int CHUNK = 16;

  /** The offset of the index, after one chunk. */
  private static final long AT = ContainerHeader.BYTES + CHUNK;

  private static final RegionImage REGION = new RegionImage("weights", CHUNK, CHUNK, new int[1]);

  private static ByteBuffer index(int regions, long offset) {
    ByteBuffer out = ByteBuffer.allocate(1024);
    ContainerIndex.putHead(out, 1);
    ContainerIndex.putRank(out, 0, regions);
    for (int region = 0; region < regions; region++) {
      ContainerIndex.putRegion(out, REGION);
      StoredChunks.putPlain(out, offset, REGION.checksum(0));
    }
    return out.flip();
  }

  @Test
  void aChunkBetweenHeaderAndIndexIsAccepted() throws FormatException {
    assertThat(
            ContainerIndex.decode(
                    index(1, ContainerHeader.BYTES), "file", AT, ContainerVersion.PLAIN)
                .ranks())
        .containsOnlyKeys(0);
  }

  @Test
  void aChunkThatReachesIntoTheIndexIsRejected() {
    assertThatThrownBy(
            () ->
                ContainerIndex.decode(
                    index(1, ContainerHeader.BYTES + 1), "file", AT, ContainerVersion.PLAIN))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("lies outside the chunks");
  }

  @Test
  void aChunkInTheHeaderIsRejected() {
    assertThatThrownBy(
            () ->
                ContainerIndex.decode(
                    index(1, ContainerHeader.BYTES - 1), "file", AT, ContainerVersion.PLAIN))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("lies outside the chunks");
  }

  @Test
  void aRegionThatIsListedTwiceIsRejected() {
    assertThatThrownBy(
            () ->
                ContainerIndex.decode(
                    index(2, ContainerHeader.BYTES), "file", AT, ContainerVersion.PLAIN))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("region weights is listed twice");
  }

  private static final ContentHash UNKNOWN = StoredChunks.UNKNOWN;
  private static final int AT_HOLDERS = 12;

  private static ByteBuffer encoded(long offset, int stored, int checksum, int form, int origin) {
    ByteBuffer out = ByteBuffer.allocate(1024);
    ContainerIndex.putHead(out, 1);
    ContainerIndex.putRank(out, 0, 1);
    ContainerIndex.putRegion(out, REGION);
    int entry = out.position();
    StoredChunks.putEncoded(
        out, offset, stored, checksum, REGION.checksum(0), Encoding.RAW, UNKNOWN);
    out.putShort(entry + 20, (short) form).putShort(entry + 22, (short) origin);
    return out.flip();
  }

  private static ContainerIndex.RankIndex decode(ByteBuffer index) throws FormatException {
    ContainerIndex.RankIndex rank =
        ContainerIndex.decode(index, "file", AT, ContainerVersion.ENCODED).ranks().get(0);
    return Objects.requireNonNull(rank);
  }

  @Test
  void anEncodedChunkIsShorterThanTheChunkAndLiesBeforeTheIndex() throws FormatException {
    int last = CHUNK - 1;

    assertThat(decode(encoded(ContainerHeader.BYTES + 1, last, 5, 1, 0)).holds(0, 0)).isTrue();
    assertThatThrownBy(() -> decode(encoded(ContainerHeader.BYTES + 2, last, 5, 1, 0)))
        .hasMessageContaining("lies outside the chunks");
    assertThatThrownBy(() -> decode(encoded(ContainerHeader.BYTES - 1, last, 5, 1, 0)))
        .hasMessageContaining("lies outside the chunks");
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, CHUNK, CHUNK + 1, Integer.MAX_VALUE})
  void anEncodedChunkOfAnotherLengthIsRejected(int stored) {
    assertThatThrownBy(() -> decode(encoded(ContainerHeader.BYTES, stored, 5, 1, 0)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("chunk 0 is stored in " + stored + " bytes");
  }

  @Test
  void aRawChunkIsItsStoredBytes() throws FormatException {
    assertThat(decode(encoded(ContainerHeader.BYTES, CHUNK, 0, 0, 0)).holds(0, 0)).isTrue();
    assertThatThrownBy(() -> decode(encoded(ContainerHeader.BYTES, CHUNK, 1, 0, 0)))
        .hasMessageContaining("raw and differs");
    assertThatThrownBy(() -> decode(encoded(ContainerHeader.BYTES, CHUNK - 1, 0, 0, 0)))
        .hasMessageContaining("raw and differs");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 6, 257, Short.MAX_VALUE})
  void anUnknownEncodingIsRejected(int form) {
    assertThatThrownBy(() -> decode(encoded(ContainerHeader.BYTES, 5, 5, form, 0)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("has encoding");
  }

  private static ByteBuffer leaning(int listed, long offset, int holder) {
    ByteBuffer index = encoded(offset, CHUNK, REGION.checksum(0), 0, holder);
    return index.putInt(AT_HOLDERS, listed);
  }

  /** The end of the chunks in another file is not known here. */
  @Test
  void aChunkInAListedHolderIsAccepted() throws FormatException {
    assertThat(decode(leaning(2, 1L << 40, 2)).holds(0, 0)).isTrue();
    assertThat(decode(leaning(2, 1L << 40, 2)).stored().get(0).holder(0)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 255, Short.MAX_VALUE, Short.MIN_VALUE, -1})
  void aHolderThatIsNotListedIsRejected(int holder) {
    assertThatThrownBy(() -> decode(leaning(2, ContainerHeader.BYTES, holder)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("lies in holder");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 1, ContainerHeader.BYTES - 1})
  void aChunkInTheHeaderOfAHolderIsRejected(long offset) {
    assertThatThrownBy(() -> decode(leaning(1, offset, 1)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("lies outside the chunks");
  }

  @Test
  void aHolderWithoutAnOffsetIsRejected() {
    assertThatThrownBy(() -> decode(leaning(1, 0, 1)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("lies elsewhere, with stored bytes");
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 256, Integer.MAX_VALUE})
  void aListOfMoreHoldersThanAnyWriterMakesIsRejected(int listed) {
    assertThatThrownBy(() -> decode(leaning(listed, ContainerHeader.BYTES, 0)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("a list of " + listed + " holders");
  }

  @Test
  void aContainerOfVersion1ListsNoHolders() {
    ByteBuffer index = index(1, ContainerHeader.BYTES).putInt(AT_HOLDERS, 1);

    assertThatThrownBy(() -> ContainerIndex.decode(index, "file", AT, ContainerVersion.PLAIN))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("a list of 1 holders");
  }

  @Test
  void aChunkElsewhereHasNoStoredBytes() throws FormatException {
    assertThat(decode(encoded(0, 0, 0, 0, 0)).holds(0, 0)).isFalse();
    assertThatThrownBy(() -> decode(encoded(0, 3, 0, 1, 0)))
        .hasMessageContaining("lies elsewhere, with stored bytes");
  }
}
