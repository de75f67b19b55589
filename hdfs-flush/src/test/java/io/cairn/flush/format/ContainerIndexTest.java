package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

  private static ByteBuffer encoded(long offset, int stored, int checksum, int form, int origin) {
    ByteBuffer out = ByteBuffer.allocate(1024);
    ContainerIndex.putHead(out, 1);
    ContainerIndex.putRank(out, 0, 1);
    ContainerIndex.putRegion(out, REGION);
    int entry = out.position();
    StoredChunks.putEncoded(out, offset, stored, checksum, REGION.checksum(0), Encoding.RAW);
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

  @Test
  void aChunkInAnotherCheckpointIsRejected() {
    assertThatThrownBy(() -> decode(encoded(0, 0, 0, 0, 1)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("lies in another checkpoint");
  }

  @Test
  void aChunkElsewhereHasNoStoredBytes() throws FormatException {
    assertThat(decode(encoded(0, 0, 0, 0, 0)).holds(0, 0)).isFalse();
    assertThatThrownBy(() -> decode(encoded(0, 3, 0, 1, 0)))
        .hasMessageContaining("lies elsewhere, with stored bytes");
  }
}
