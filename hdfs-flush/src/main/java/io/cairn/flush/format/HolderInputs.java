package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Holder;
import io.cairn.core.model.OpenParts;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The files of older checkpoints that one container leans on. Each is opened when it is needed. */
final class HolderInputs implements Closeable {
  private final ReadableStore store;
  private final GroupId group;
  private final List<Holder> holders;
  private final Map<Integer, StoreInput> open = new HashMap<>();

  HolderInputs(ReadableStore store, GroupId group, List<Holder> holders) {
    this.store = store;
    this.group = group;
    this.holders = holders;
  }

  /** Where the file of a holder is, for people. */
  String file(int number) {
    return store.describe() + "/" + path(holders.get(number - 1));
  }

  private String path(Holder holder) {
    return StoreNames.file(holder.in(group), holder.file());
  }

  /** The offset at which the chunks of a holder can end at most. */
  long end(int number) {
    return holders.get(number - 1).bytes() - ContainerTrailer.BYTES;
  }

  /**
   * The file of a holder.
   *
   * @throws FormatException if it is not the container that the manifest names
   * @throws java.nio.file.NoSuchFileException if it does not exist
   */
  StoreInput of(int number) throws IOException {
    StoreInput known = open.get(number);
    if (known != null) {
      return known;
    }
    Holder holder = holders.get(number - 1);
    StoreInput input = store.open(path(holder));
    try {
      requireSame(input, holder, file(number));
    } catch (IOException | RuntimeException e) {
      OpenParts.closeAfter(input, e);
      throw e;
    }
    open.put(number, input);
    return input;
  }

  private void requireSame(StoreInput input, Holder holder, String file) throws IOException {
    ContainerReader.requireLength(input, file, holder.bytes());
    CheckpointId id = holder.in(group);
    ContainerReader.readHeader(input, file, id);
    ContainerTrailer trailer = ContainerReader.readTrailer(input, file);
    ContainerReader.requireDigest(trailer, file, holder.indexDigest());
  }

  @Override
  public void close() throws IOException {
    try {
      OpenParts.closeAll(open.values());
    } finally {
      open.clear();
    }
  }
}
