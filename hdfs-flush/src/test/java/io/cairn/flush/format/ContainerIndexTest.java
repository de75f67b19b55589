package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.model.RegionImage;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

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
      ContainerIndex.putChunk(out, offset, REGION.checksum(0));
    }
    return out.flip();
  }

  @Test
  void aChunkBetweenHeaderAndIndexIsAccepted() throws FormatException {
    assertThat(ContainerIndex.decode(index(1, ContainerHeader.BYTES), "file", AT).ranks())
        .containsOnlyKeys(0);
  }

  @Test
  void aChunkThatReachesIntoTheIndexIsRejected() {
    assertThatThrownBy(() -> ContainerIndex.decode(index(1, ContainerHeader.BYTES + 1), "file", AT))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("lies outside the chunks");
  }

  @Test
  void aChunkInTheHeaderIsRejected() {
    assertThatThrownBy(() -> ContainerIndex.decode(index(1, ContainerHeader.BYTES - 1), "file", AT))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("lies outside the chunks");
  }

  @Test
  void aRegionThatIsListedTwiceIsRejected() {
    assertThatThrownBy(() -> ContainerIndex.decode(index(2, ContainerHeader.BYTES), "file", AT))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("region weights is listed twice");
  }
}
