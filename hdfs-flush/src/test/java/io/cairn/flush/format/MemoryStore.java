package io.cairn.flush.format;

import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A store in memory that never fails; tests may inspect and damage its files. */
public final class MemoryStore implements CheckpointStore {
  /** Content by path. */
  public final ConcurrentSkipListMap<String, byte[]> files = new ConcurrentSkipListMap<>();

  /** Whether files appear when they are closed from now on, as in an object store. */
  public volatile boolean showsAtClose;

  private final String name;
  private final boolean replaces;

  /** An empty store without {@link #replace}. */
  public MemoryStore(String name) {
    this(name, false);
  }

  /** An empty store, which may {@link #replace} files. */
  public MemoryStore(String name, boolean replaces) {
    this.name = name;
    this.replaces = replaces;
  }

  /** A store with the same files. */
  public MemoryStore copy() {
    MemoryStore copy = new MemoryStore(name, replaces);
    copy.files.putAll(files);
    return copy;
  }

  /** Inverts one bit of a file. */
  public void flip(String path, long bit) {
    byte[] bytes = content(path).clone();
    bytes[(int) (bit / 8)] ^= (byte) (1 << (bit % 8));
    files.put(path, bytes);
  }

  /** The bytes of a file that exists. */
  public byte[] content(String path) {
    return new TreeMap<>(files).getOrDefault(path, new byte[0]);
  }

  @Override
  public String describe() {
    return "memory:" + name;
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    boolean isLate = showsAtClose;
    if (isLate ? files.containsKey(path) : files.putIfAbsent(path, new byte[0]) != null) {
      throw new FileAlreadyExistsException(describe() + "/" + path);
    }
    return isLate ? new LateOutput(path) : new Output(path);
  }

  @Override
  public synchronized void publish(String from, String to) throws IOException {
    if (files.containsKey(to)) {
      throw new FileAlreadyExistsException(describe() + "/" + to);
    }
    byte[] bytes = files.remove(from);
    if (bytes == null) {
      throw new NoSuchFileException(describe() + "/" + from);
    }
    files.put(to, bytes);
  }

  @Override
  public synchronized boolean replace(String from, String to) throws IOException {
    if (!replaces) {
      return false;
    }
    byte[] bytes = files.get(from);
    if (bytes == null) {
      throw new NoSuchFileException(describe() + "/" + from);
    }
    files.put(to, bytes);
    files.remove(from);
    return true;
  }

  @Override
  public StoreInput open(String path) throws IOException {
    byte[] bytes = files.get(path);
    if (bytes == null) {
      throw new NoSuchFileException(describe() + "/" + path);
    }
    return new Input(path, bytes);
  }

  @Override
  public List<StoreEntry> list(String directory) {
    String prefix = directory.isEmpty() ? "" : directory + "/";
    TreeMap<String, StoreEntry> entries = new TreeMap<>();
    files.forEach(
        (path, bytes) -> {
          if (path.startsWith(prefix)) {
            String rest = path.substring(prefix.length());
            int slash = rest.indexOf('/');
            String entry = slash < 0 ? rest : rest.substring(0, slash);
            entries.put(entry, new StoreEntry(entry, slash >= 0, slash < 0 ? bytes.length : 0));
          }
        });
    return List.copyOf(entries.values());
  }

  @Override
  public boolean delete(String path) {
    return files.remove(path) != null;
  }

  @Override
  public boolean deleteDirectory(String directory) {
    return files.keySet().removeIf(path -> path.startsWith(directory + "/"));
  }

  @Override
  public void close() {}

  private class Output implements StoreOutput {
    final String path;
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Output(String path) {
      this.path = path;
    }

    @Override
    public void write(ByteBuffer source) {
      byte[] chunk = new byte[source.remaining()];
      source.get(chunk);
      bytes.writeBytes(chunk);
    }

    @Override
    public long position() {
      return bytes.size();
    }

    @Override
    public void sync() {
      files.replace(path, bytes.toByteArray());
    }

    @Override
    public void close() throws IOException {
      sync();
    }
  }

  /** Drops a file whose last bytes were not synced. */
  private final class LateOutput extends Output {
    private int synced;
    private boolean isClosed;

    LateOutput(String path) {
      super(path);
    }

    @Override
    public void sync() {
      synced = bytes.size();
    }

    @Override
    public void close() throws IOException {
      if (isClosed) {
        return;
      }
      isClosed = true;
      boolean isWhole = synced == bytes.size();
      if (isWhole
          ? files.putIfAbsent(path, bytes.toByteArray()) != null
          : files.containsKey(path)) {
        throw new FileAlreadyExistsException(describe() + "/" + path);
      }
    }
  }

  private static final class Input implements StoreInput {
    private final String path;
    private final byte[] bytes;

    Input(String path, byte[] bytes) {
      this.path = path;
      this.bytes = bytes;
    }

    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public void readFully(long position, ByteBuffer into) throws IOException {
      if (position < 0 || position + into.remaining() > bytes.length) {
        throw new EOFException(path + ": " + position + " of " + bytes.length);
      }
      into.put(bytes, (int) position, into.remaining());
    }

    @Override
    public void close() {}
  }
}
