package io.cairn.lab.bench.collaborative;

import io.cairn.lab.throttle.LinkBookings;
import io.cairn.lab.throttle.LinkTable;
import io.cairn.lab.throttle.ThrottledLinks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The common settings of all workers of one group.
 *
 * @param machine that they play
 * @param cacheChunks slots of each device
 * @param hostChunks slots of each in host memory
 * @param mostBytes of a rank's checkpoint, as it is played
 * @param slowed the link that is slower than it is declared, if one is
 * @param scratch a directory in shared memory, made if it is missing
 * @param deskPort where the desk serves
 */
record WorkerSetting(
    PlayedMachine machine,
    int cacheChunks,
    int hostChunks,
    long mostBytes,
    Optional<SlowLink> slowed,
    Path scratch,
    int deskPort) {
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
    return slowed
        .map(slow -> declared.with(slow.from(), slow.to(), slow.factor()))
        .orElse(declared);
  }

  private Path bookings() {
    return scratch.resolve("links");
  }

  /** Where devices and host memories lie. */
  Path memory() {
    return scratch.resolve("memory");
  }

  /** Makes what the workers share. */
  void create() throws IOException {
    Files.createDirectories(scratch);
    LinkBookings.create(bookings(), table().stretches());
  }

  /** The links, after {@link #create}. */
  ThrottledLinks links() throws IOException {
    LinkTable table = table();
    return new ThrottledLinks(table, LinkBookings.open(bookings(), table.stretches()));
  }

  /** As a process's arguments. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    words.add(Integer.toString(machine.devices()));
    words.add(Integer.toString(machine.chunkBytes()));
    words.add(Double.toString(machine.slowdown()));
    words.add(Integer.toString(cacheChunks));
    words.add(Integer.toString(hostChunks));
    words.add(Long.toString(mostBytes));
    words.add(scratch.toString());
    words.add(Integer.toString(deskPort));
    slowed.ifPresent(
        slow -> {
          words.add(Integer.toString(slow.from()));
          words.add(Integer.toString(slow.to()));
          words.add(Double.toString(slow.factor()));
        });
    return words;
  }

  /** The inverse of {@link #words}. */
  static WorkerSetting of(List<String> words) {
    return new WorkerSetting(
        new PlayedMachine(
            Integer.parseInt(words.get(0)),
            Integer.parseInt(words.get(1)),
            Double.parseDouble(words.get(2))),
        Integer.parseInt(words.get(3)),
        Integer.parseInt(words.get(4)),
        Long.parseLong(words.get(5)),
        words.size() == 8
            ? Optional.empty()
            : Optional.of(
                new SlowLink(
                    Integer.parseInt(words.get(8)),
                    Integer.parseInt(words.get(9)),
                    Double.parseDouble(words.get(10)))),
        Path.of(words.get(6)),
        Integer.parseInt(words.get(7)));
  }
}
