package io.cairn.cache.memory.shm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cairn.cache.memory.ExportedMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * A span of an arena, in a form that another process can open.
 *
 * <pre>
 * offset  bytes  field (big-endian)
 *      0      8  offset in the arena
 *      8      8  length, 1 to 1 GiB
 *     16   rest  absolute path of the arena, UTF-8
 * </pre>
 */
record ArenaHandle(Path file, long offset, long bytes) {
  private static final int FIXED_BYTES = 16;

  ExportedMemory toExported() {
    byte[] path = file.toString().getBytes(UTF_8);
    ByteBuffer payload = ByteBuffer.allocate(FIXED_BYTES + path.length);
    payload.putLong(offset).putLong(bytes).put(path);
    return new ExportedMemory(SharedMemoryDevice.KIND, payload.array());
  }

  static ArenaHandle of(ExportedMemory exported) throws IOException {
    ByteBuffer payload = exported.payload();
    if (!exported.kind().equals(SharedMemoryDevice.KIND) || payload.remaining() <= FIXED_BYTES) {
      throw new IOException("handle " + exported + " is not one of shared memory");
    }
    long offset = payload.getLong();
    long bytes = payload.getLong();
    byte[] path = new byte[payload.remaining()];
    payload.get(path);
    ArenaHandle handle = new ArenaHandle(path(path), offset, bytes);
    if (offset < 0
        || bytes < 1
        || bytes > SharedMemoryDevice.MAX_WINDOW_BYTES
        || offset > Long.MAX_VALUE - bytes) {
      throw new IOException(handle + ": its span is impossible");
    }
    return handle;
  }

  private static Path path(byte[] utf8) throws IOException {
    String text = new String(utf8, UTF_8);
    try {
      Path path = Path.of(text);
      if (path.isAbsolute()
          && path.equals(path.normalize())
          && ArenaDirectory.ARENA.matcher(path.getFileName() + "").matches()) {
        return path;
      }
    } catch (InvalidPathException e) {
      throw new IOException("handle of shared memory: '" + text + "' is not a path", e);
    }
    throw new IOException("handle of shared memory: '" + text + "' is not an arena's path");
  }

  /** Checks the span against the arena that was found. */
  void requireWithin(long arenaBytes) throws IOException {
    if (offset + bytes > arenaBytes) {
      throw new IOException(this + ": the arena has only " + arenaBytes + " bytes");
    }
  }

  @Override
  public String toString() {
    return "handle to " + bytes + " bytes at " + offset + " of " + file;
  }
}
