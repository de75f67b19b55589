package io.cairn.engine.sharing.peer;

import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.ExportedMemory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a holder tells its peers of itself.
 *
 * @param holder which it is; another process may serve at the address of one that is dead
 * @param machine where it runs, the same for processes that can share memory
 * @param chunkBytes of its slots
 * @param exports its slots, for processes of that machine
 */
public record Greeting(String holder, String machine, int chunkBytes, List<SlotExport> exports) {
  private static final int MOST_EXPORTS = 4096;
  private static final int MOST_HANDLE_BYTES = 8192;
  private static final int MOST_SLOTS = 1 << 22;

  public Greeting {
    exports = List.copyOf(exports);
  }

  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(holder);
      out.writeUTF(machine);
      out.writeInt(chunkBytes);
      out.writeInt(exports.size());
      for (SlotExport export : exports) {
        byte[] handle = export.handle().encode();
        out.writeInt(export.firstSlot());
        out.writeInt(export.slots());
        out.writeInt(handle.length);
        out.write(handle);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * The inverse of {@link #encode}.
   *
   * @throws IOException saying what is wrong with the bytes
   */
  public static Greeting decode(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      String holder = in.readUTF();
      String machine = in.readUTF();
      int chunkBytes = in.readInt();
      int count = in.readInt();
      require(chunkBytes > 0, "slots of " + chunkBytes + " bytes");
      require(count >= 0 && count <= MOST_EXPORTS, count + " exports");
      List<SlotExport> exports = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int first = in.readInt();
        int slots = in.readInt();
        int length = in.readInt();
        require(
            first >= 0 && slots > 0 && (long) first + slots <= MOST_SLOTS,
            slots + " slots from " + first);
        require(length >= 0 && length <= MOST_HANDLE_BYTES, "a handle of " + length + " bytes");
        exports.add(new SlotExport(first, slots, ExportedMemory.decode(in.readNBytes(length))));
      }
      require(in.read() == -1, "bytes are left over");
      return new Greeting(holder, machine, chunkBytes, exports);
    } catch (IllegalArgumentException e) {
      throw new IOException("not a greeting (" + bytes.length + " bytes): " + e.getMessage(), e);
    }
  }

  private static void require(boolean holds, String otherwise) throws IOException {
    if (!holds) {
      throw new IOException("not a greeting: " + otherwise);
    }
  }
}
