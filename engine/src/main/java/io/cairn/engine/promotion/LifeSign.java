package io.cairn.engine.promotion;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.goodput.GoodputEntries;
import io.cairn.core.goodput.GoodputRecord;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.OpenParts;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.LateStore;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The newest account of a rank in a file of its node. It outlives the process, but not the machine.
 * Not thread-safe.
 *
 * <pre>
 *   two slots of 4096 bytes, written in turn; the valid one of the newest epoch and time counts
 *     0  CRC32C of all that follows    4
 *     4  length of the text            4
 *     8  the account as text, ASCII    one entry per line: name, blank, value
 * </pre>
 */
public final class LifeSign implements Closeable {
  private static final int SLOT_BYTES = 4096;
  private static final int HEADER_BYTES = 8;

  /** A process of an earlier epoch that still lives may have written last. */
  private static final Comparator<GoodputRecord> AGE =
      Comparator.<GoodputRecord>comparingLong(LifeSign::epoch)
          .thenComparingLong(GoodputRecord::asOfMillis);

  private final RandomAccessFile file;
  private final Optional<GoodputRecord> found;
  private int next;

  /** Finds the account of a rank whose group was entered. */
  @FunctionalInterface
  public interface Opening {
    /**
     * The account, which the caller closes; empty if nothing keeps one. Does I/O.
     *
     * @throws IOException if its file cannot be used
     */
    Optional<LifeSign> open(Member member) throws IOException;
  }

  /** As {@link Opening} says, of the rank's group at NODE; none if that has no files. */
  public static Optional<LifeSign> of(
      NodeDirectory home, LateStore node, NodeGroups groups, Member member) throws IOException {
    node.requireOpen();
    if (!home.hasFiles()) {
      return Optional.empty();
    }
    GroupId group = member.group();
    Path life = home.path().resolve(StoreNames.life(group, groups.birth(group)));
    return Optional.of(open(life.resolve(StoreNames.lifeSign(member.rank()))));
  }

  private LifeSign(RandomAccessFile file, Optional<GoodputRecord> found, int next) {
    this.file = file;
    this.found = found;
    this.next = next;
  }

  /**
   * Opens the file of a rank, and reads the account in it.
   *
   * @throws IOException if it cannot be made or read
   */
  static LifeSign open(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    try (OpenParts open = new OpenParts()) {
      RandomAccessFile file = open.add(new RandomAccessFile(path.toFile(), "rw"));
      Optional<GoodputRecord> first = read(file, 0);
      Optional<GoodputRecord> second = read(file, 1);
      boolean firstIsNewer = second.isEmpty() || (first.isPresent() && isNewer(first, second));
      return open.keep(new LifeSign(file, firstIsNewer ? first : second, firstIsNewer ? 1 : 0));
    }
  }

  private static long epoch(GoodputRecord record) {
    return record.epochs().isEmpty() ? 0 : record.epochs().lastKey();
  }

  private static boolean isNewer(Optional<GoodputRecord> one, Optional<GoodputRecord> other) {
    return AGE.compare(one.orElseThrow(), other.orElseThrow()) > 0;
  }

  /** The account that an earlier process left; empty if there is none, or only a damaged one. */
  public Optional<GoodputRecord> found() {
    return found;
  }

  /**
   * Replaces the older account. A process that is killed meanwhile leaves the newer one.
   *
   * @throws IOException if the file cannot be written
   */
  public void write(GoodputRecord record) throws IOException {
    StringBuilder text = new StringBuilder();
    GoodputEntries.of(record)
        .forEach((name, value) -> text.append(name).append(' ').append(value).append('\n'));
    byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
    ByteBuffer slot = ByteBuffer.allocate(HEADER_BYTES + bytes.length);
    slot.putInt(0).putInt(bytes.length).put(bytes);
    slot.putInt(0, checksum(slot.array(), slot.capacity()));
    file.seek((long) next * SLOT_BYTES);
    file.write(slot.array());
    next = 1 - next;
  }

  private static Optional<GoodputRecord> read(RandomAccessFile file, int slot) throws IOException {
    byte[] bytes = new byte[SLOT_BYTES];
    file.seek((long) slot * SLOT_BYTES);
    int length = Math.max(0, file.read(bytes));
    int text = length < HEADER_BYTES ? -1 : ByteBuffer.wrap(bytes).getInt(4);
    if (text < 0
        || text > length - HEADER_BYTES
        || ByteBuffer.wrap(bytes).getInt() != checksum(bytes, HEADER_BYTES + text)) {
      return Optional.empty();
    }
    return parse(new String(bytes, HEADER_BYTES, text, StandardCharsets.US_ASCII));
  }

  private static int checksum(byte[] slot, int end) {
    CRC32C crc = new CRC32C();
    crc.update(slot, 4, end - 4);
    return (int) crc.getValue();
  }

  private static Optional<GoodputRecord> parse(String text) {
    SortedMap<String, String> entries = new TreeMap<>();
    text.lines()
        .forEach(
            line -> {
              int blank = Math.max(0, line.indexOf(' '));
              entries.put(line.substring(0, blank), line.substring(blank).strip());
            });
    try {
      return GoodputEntries.in(new Fingerprint(entries));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // written by no version of this class
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
