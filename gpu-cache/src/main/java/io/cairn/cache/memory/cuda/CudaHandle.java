package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.ExportedMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;

/**
 * A span of a device's memory, in a form that another process can open.
 *
 * <pre>
 * offset  bytes  field (big-endian)
 *      0     16  UUID of the GPU
 *     16     16  name of the slab, drawn when it was allocated
 *     32     64  the driver's handle of the slab
 *     96      8  offset in the slab
 *    104      8  length of the span
 *    112   rest  the slab's page of the owner's sign: exported shared memory
 * </pre>
 *
 * @param ipc in hexadecimal
 * @param life shows whether the owner lives
 */
record CudaHandle(UUID gpu, UUID slab, String ipc, long offset, long bytes, ExportedMemory life) {
  static final String KIND = "cuda";

  private static final int FIXED_BYTES = 112;

  ExportedMemory toExported() {
    byte[] sign = life.encode();
    ByteBuffer payload = ByteBuffer.allocate(FIXED_BYTES + sign.length);
    for (UUID each : new UUID[] {gpu, slab}) {
      payload.putLong(each.getMostSignificantBits()).putLong(each.getLeastSignificantBits());
    }
    payload.put(HexFormat.of().parseHex(ipc)).putLong(offset).putLong(bytes).put(sign);
    return new ExportedMemory(KIND, payload.array());
  }

  static CudaHandle of(ExportedMemory exported) throws IOException {
    ByteBuffer in = exported.payload();
    if (!exported.kind().equals(KIND) || in.remaining() <= FIXED_BYTES) {
      throw new IOException("handle " + exported + " is not one of CUDA");
    }
    UUID gpu = new UUID(in.getLong(), in.getLong());
    UUID slab = new UUID(in.getLong(), in.getLong());
    byte[] ipc = new byte[DriverCalls.IPC_HANDLE_BYTES];
    in.get(ipc);
    long offset = in.getLong();
    long bytes = in.getLong();
    byte[] sign = new byte[in.remaining()];
    in.get(sign);
    CudaHandle handle =
        new CudaHandle(
            gpu, slab, HexFormat.of().formatHex(ipc), offset, bytes, ExportedMemory.decode(sign));
    if (offset < 0 || bytes < 1 || offset > Long.MAX_VALUE - bytes) {
      throw new IOException(handle + ": its span is impossible");
    }
    return handle;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "handle to %d bytes at %d of CUDA slab %s", bytes, offset, slab);
  }
}
