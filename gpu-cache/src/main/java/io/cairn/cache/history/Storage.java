package io.cairn.cache.history;

import io.cairn.cache.memory.DeviceMemory;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All memory and files that a history holds. Not thread-safe. */
final class Storage implements Closeable {
  private final Deque<Closeable> opened = new ArrayDeque<>();
  private final Segments files;
  private final @Nullable Journal journal;
  private final StateMemory memory;
  private final List<Room> rooms = new ArrayList<>();

  /**
   * Opens all.
   *
   * @throws IOException naming the memory or the directory, if it has no room, or another history
   *     has the directory
   */
  Storage(HistoryPlaces places, HistorySettings settings, boolean resumes) throws IOException {
    try {
      files = new Segments(settings);
      opened.push(files);
      journal = resumes ? Journal.open(settings) : null;
      if (journal != null) {
        opened.push(journal);
      }
      memory = memory(places.device, settings);
      opened.push(memory::close);
      MemoryShelf host = places.openHost(settings.chunkBytes());
      if (host != null) {
        opened.push(host);
        rooms.add(new Room(rooms.size(), host, places.hostChunks(settings.chunkBytes()), false));
      }
      rooms.add(new Room(rooms.size(), files, settings.fileChunks(), resumes));
    } catch (IOException | RuntimeException e) {
      closeAfter(e);
      throw e;
    }
  }

  private static StateMemory memory(DeviceMemory device, HistorySettings settings)
      throws IOException {
    StateMemory mapped = MappedMemory.open(device, settings);
    return mapped == null ? CopiedMemory.open(device, settings) : mapped;
  }

  private void closeAfter(Exception failure) {
    try {
      close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  StateMemory memory() {
    return memory;
  }

  /** Below the device, the fastest first; the last one has the files. */
  List<Room> rooms() {
    return rooms;
  }

  /** Says which states lie in the files after a kill; null if none outlive the process. */
  @Nullable Journal journal() {
    return journal;
  }

  /** Closes all. Idempotent. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Removes the files. */
  void delete() throws IOException {
    files.delete();
    if (journal != null) {
      journal.delete();
    }
  }
}
