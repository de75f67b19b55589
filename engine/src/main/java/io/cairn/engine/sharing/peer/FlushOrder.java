package io.cairn.engine.sharing.peer;

import io.cairn.core.model.RegionImage;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.SharingWire;
import io.cairn.flush.format.Layout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks a lender to write what it holds under a lease to NODE.
 *
 * @param lease what is meant
 * @param groupSize ranks of the group
 * @param node the store that is NODE for the borrower; refused where it is another one
 * @param images of all of the rank's regions
 */
public record FlushOrder(LeaseId lease, int groupSize, String node, List<RegionImage> images) {
  private static final int MOST_REGIONS = 1_000_000;
  private static final int MOST_CHUNKS = 1_000_000;
  private static final int TAG_CHARACTERS = 8;

  public FlushOrder {
    images = List.copyOf(images);
  }

  /** Name of the container that the lender writes; no other holder or lease has the same. */
  public String container(HolderId lender) {
    String nonce = lender.nonce();
    String tag = nonce.substring(0, Math.min(TAG_CHARACTERS, nonce.length()));
    return Layout.container(lease.rank(), tag + "-" + lease.nonce());
  }

  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      byte[] id = SharingWire.encode(new LeaseRequest.Release(lease));
      out.writeInt(id.length);
      out.write(id);
      out.writeInt(groupSize);
      out.writeUTF(node);
      out.writeInt(images.size());
      for (RegionImage image : images) {
        out.writeUTF(image.name());
        out.writeLong(image.bytes());
        out.writeInt(image.chunkBytes());
        out.writeInt(image.chunks());
        for (int chunk = 0; chunk < image.chunks(); chunk++) {
          out.writeInt(image.checksum(chunk));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * The inverse of {@link #encode}.
   *
   * @throws IllegalArgumentException saying what is wrong with the bytes
   */
  public static FlushOrder decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte[] id = in.readNBytes(count(in, bytes.length));
      LeaseId lease = SharingWire.decodeRequest(id).id();
      int groupSize = in.readInt();
      String node = in.readUTF();
      List<RegionImage> images = new ArrayList<>();
      for (int left = count(in, MOST_REGIONS); left > 0; left--) {
        images.add(image(in));
      }
      if (in.read() != -1) {
        throw new IOException("bytes left over");
      }
      return new FlushOrder(lease, groupSize, node, images);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "not an order to flush (" + bytes.length + " bytes): " + e.getMessage(), e);
    }
  }

  private static RegionImage image(DataInputStream in) throws IOException {
    String name = in.readUTF();
    long bytes = in.readLong();
    int chunkBytes = in.readInt();
    int chunks = count(in, Math.min(MOST_CHUNKS, in.available() / Integer.BYTES));
    int[] checksums = new int[chunks];
    for (int chunk = 0; chunk < chunks; chunk++) {
      checksums[chunk] = in.readInt();
    }
    return new RegionImage(name, bytes, chunkBytes, checksums);
  }

  private static int count(DataInputStream in, int most) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > most) {
      throw new IOException("a list of " + count + " entries, at most " + most);
    }
    return count;
  }
}
