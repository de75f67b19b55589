package io.cairn.engine.sharing.peer;

import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Digest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What a lender says to a {@link FlushOrder}: which container it wrote, for the order's rank alone.
 *
 * @param container empty while it writes: ask again
 */
public record FlushAnswer(Optional<ContainerSummary> container) {
  private static final int STILL_WRITING = 0;
  private static final int WRITTEN = 1;

  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(container.isPresent() ? WRITTEN : STILL_WRITING);
      if (container.isPresent()) {
        out.writeUTF(container.get().file());
        out.writeLong(container.get().bytes());
        out.write(container.get().indexDigest().toBytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * The inverse of {@link #encode}.
   *
   * @param order what was asked
   * @param lender who answers; its container has the name that follows from both
   * @throws IllegalArgumentException saying what is wrong with the bytes
   */
  public static FlushAnswer decode(byte[] bytes, FlushOrder order, HolderId lender) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      FlushAnswer answer = read(in, order, lender);
      if (in.read() != -1) {
        throw new IOException("bytes left over");
      }
      return answer;
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "no answer to an order to flush (%d bytes from %s): %s"
              .formatted(bytes.length, lender, e.getMessage()),
          e);
    }
  }

  private static FlushAnswer read(DataInputStream in, FlushOrder order, HolderId lender)
      throws IOException {
    int kind = in.readUnsignedByte();
    if (kind == STILL_WRITING) {
      return new FlushAnswer(Optional.empty());
    } else if (kind != WRITTEN) {
      throw new IOException("no such answer has kind " + kind);
    }
    String file = in.readUTF();
    if (!file.equals(order.container(lender))) {
      throw new IOException("'" + file + "' is not " + order.container(lender));
    }
    long length = in.readLong();
    byte[] digest = in.readNBytes(Digest.BYTES);
    if (digest.length < Digest.BYTES) {
      throw new IOException("a digest of " + digest.length + " bytes");
    }
    return new FlushAnswer(
        Optional.of(
            new ContainerSummary(
                file,
                length,
                new Digest(HexFormat.of().formatHex(digest)),
                List.of(order.lease().rank()))));
  }
}
