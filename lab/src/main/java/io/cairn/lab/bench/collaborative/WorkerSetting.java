package io.cairn.lab.bench.collaborative;

import io.cairn.cli.Json;
import io.cairn.lab.study.throttle.LinkBookings;
import io.cairn.lab.study.throttle.LinkTable;
import io.cairn.lab.study.throttle.ThrottledLinks;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The common settings of all workers of one group.
 *
 * @param machine that they play
 * @param cacheChunks slots of each device
 * @param hostChunks slots of each in host memory
 * @param mostBytes of a rank's checkpoint, as it is played
 * @param slowed the link that is slower than it is declared; null if none is
 * @param scratch a directory in shared memory, made if it is missing
 * @param deskPort where the desk serves
 */
record WorkerSetting(
    PlayedMachine machine,
    int cacheChunks,
    int hostChunks,
    long mostBytes,
    @Nullable SlowLink slowed,
    Path scratch,
    int deskPort) {
  private static final String FILE = "setting.json";

  /**
   * A link at another rate.
   *
   * @param to a device, or the host as {@link LinkTable#HOST}
   * @param factor of the declared rate
   */
  record SlowLink(int from, int to, double factor) {}

  /** The links as they are, which is not always as they are declared. */
  LinkTable table() {
    LinkTable declared = machine.table();
    return slowed == null ? declared : declared.with(slowed.from(), slowed.to(), slowed.factor());
  }

  private Path bookings() {
    return scratch.resolve("links");
  }

  /** Where devices and host memories lie. */
  Path memory() {
    return scratch.resolve("memory");
  }

  /** Makes what the workers share, and writes the setting for {@link #read}. */
  void create() throws IOException {
    Json.write(scratch.resolve(FILE), this);
    LinkBookings.create(bookings(), table().stretches());
  }

  /** The links, after {@link #create}. */
  ThrottledLinks links() throws IOException {
    LinkTable table = table();
    return new ThrottledLinks(table, LinkBookings.open(bookings(), table.stretches()));
  }

  /**
   * The setting that {@link #create} wrote into a directory.
   *
   * @throws IOException naming the file, if it is not there or is another
   */
  static WorkerSetting read(Path scratch) throws IOException {
    return Json.read(scratch.resolve(FILE), WorkerSetting.class);
  }
}
