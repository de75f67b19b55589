package io.cairn.flush.format;

import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A store in memory that never fails and keeps no pages of zeros. So files of many gigabytes take
 * little room if they hold little else.
 */
public final class SparseStore implements CheckpointStore {
  private final ConcurrentSkipListMap<String, SparseFile> files = new ConcurrentSkipListMap<>();

  @Override
  public String describe() {
    return "sparse";
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    SparseFile file = new SparseFile();
    if (files.putIfAbsent(path, file) != null) {
      throw new FileAlreadyExistsException(path);
    }
    return new Output(file);
  }

  @Override
  public synchronized void publish(String from, String to) throws IOException {
    if (files.containsKey(to)) {
      throw new FileAlreadyExistsException(to);
    }
    files.put(to, require(from));
    files.remove(from);
  }

  @Override
  public StoreInput open(String path) throws IOException {
    return new Input(path, require(path));
  }

  private SparseFile require(String path) throws IOException {
    SparseFile file = files.get(path);
    if (file == null) {
      throw new NoSuchFileException(path);
    }
    return file;
  }

  @Override
  public List<StoreEntry> list(String directory) {
    String prefix = directory.isEmpty() ? "" : directory + "/";
    TreeMap<String, StoreEntry> entries = new TreeMap<>();
    files.forEach(
        (path, file) -> {
          if (path.startsWith(prefix)) {
            String rest = path.substring(prefix.length());
            int slash = rest.indexOf('/');
            String entry = slash < 0 ? rest : rest.substring(0, slash);
            entries.put(entry, new StoreEntry(entry, slash >= 0, slash < 0 ? file.bytes() : 0));
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

  private record Output(SparseFile file) implements StoreOutput {
    @Override
    public void write(ByteBuffer bytes) {
      file.append(bytes);
    }

    @Override
    public long position() {
      return file.bytes();
    }

    @Override
    public void sync() {}

    @Override
    public void close() {}
  }

  private record Input(String path, SparseFile file) implements StoreInput {
    @Override
    public long length() {
      return file.bytes();
    }

    @Override
    public void readFully(long position, ByteBuffer into) throws IOException {
      if (position < 0 || into.remaining() > file.bytes() - position) {
        throw new EOFException(
            String.format(
                Locale.ROOT,
                "%s has %d bytes, not %d from %d on",
                path,
                file.bytes(),
                into.remaining(),
                position));
      }
      file.read(position, into);
    }

    @Override
    public void close() {}
  }
}
