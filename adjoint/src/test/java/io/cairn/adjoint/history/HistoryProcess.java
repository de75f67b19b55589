package io.cairn.adjoint.history;

import io.cairn.Region;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.Until;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.flow.Topology;
import io.cairn.process.Command;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * A process with a history among others of the machine. It obeys the commands in its input, and
 * answers each with a line.
 */
public final class HistoryProcess {
  /** Bytes of a state. */
  public static final int STATE = 8192;

  private static final int CHUNK = 4096;

  private final int number;
  private final MachinePeers peers;
  private final History history;
  private final byte[] field = new byte[STATE];
  private final byte[] large = new byte[8 * STATE];
  private final RegionSet more;

  private HistoryProcess(
      Path directory,
      int number,
      int deviceStates,
      int fileStates,
      Duration patience,
      DeviceMemory device)
      throws IOException {
    this.number = number;
    Topology topology = Topology.uniform(2, 24e9, 1);
    peers = MachinePeers.join(directory.resolve("peers"), topology, number, patience);
    Path files = directory.resolve("states-" + ProcessHandle.current().pid());
    history =
        History.open(
            HistoryPlaces.on(device).withPeers(peers),
            new HistorySettings(
                (long) deviceStates * STATE, CHUNK, files, (long) fileStates * STATE));
    history.protect(Region.of("field", field));
    more = history.regions();
    more.protect(Region.of("large", large));
  }

  /** The process of a device, with the patience of a user's. */
  public static Command command(Path directory, int number, int deviceStates, int fileStates) {
    return command(directory, number, deviceStates, fileStates, MachinePeers.PATIENCE);
  }

  /**
   * The process of a device.
   *
   * @param deviceStates the number of states on the device
   * @param fileStates the number of states in files
   * @param patience with other processes, in whole seconds
   */
  static Command command(
      Path directory, int number, int deviceStates, int fileStates, Duration patience) {
    return Command.java(
            HistoryProcess.class, directory, number, deviceStates, fileStates, patience.toSeconds())
        .small(64);
  }

  /** Runs until its input ends. */
  public static void main(String[] words) throws IOException {
    Path directory = Path.of(words[0]);
    int[] numbers = Arrays.stream(words).skip(1).mapToInt(Integer::parseInt).toArray();
    try (DeviceMemory device = SharedMemoryDevice.open(directory, directory, 2 << 20)) {
      HistoryProcess process =
          new HistoryProcess(
              directory,
              numbers[0],
              numbers[1],
              numbers[2],
              Duration.ofSeconds(numbers[3]),
              device);
      process.obey();
      process.history.close();
      process.peers.close();
    }
  }

  private void obey() throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("ready");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      System.out.println(obey(words[0], words.length > 1 ? Integer.parseInt(words[1]) : 0));
    }
  }

  private String obey(String command, int argument) {
    return switch (command) {
      case "expect" -> {
        history.expect(argument, STATE);
        yield "expects";
      }
      case "borrow" -> {
        Until.holds(() -> peers.borrowedBytes() == (long) argument * STATE);
        yield "borrows";
      }
      case "lent" -> {
        Until.holds(() -> peers.lentBytes() == (long) argument * STATE);
        yield "lends";
      }
      case "lose" -> {
        Until.holds(() -> history.stats().lost() > 0);
        yield "lost";
      }
      case "store" -> store(argument);
      case "secure" -> secure(argument);
      case "large" -> large();
      case "restore" -> restore(argument);
      case "close" -> {
        history.close();
        yield "closed";
      }
      default -> throw new IllegalArgumentException(command);
    };
  }

  private String store(int steps) {
    for (int step = 0; step < steps; step++) {
      Arrays.fill(field, content(step));
      history.store(step);
      System.out.println("step");
    }
    return "stored";
  }

  private String secure(int steps) {
    for (int step = 0; step < steps; step++) {
      history.secure(step);
    }
    Until.holds(() -> onFiles() >= (long) steps * STATE);
    return "secured";
  }

  private long onFiles() {
    return history.stats().fileBytes();
  }

  private String large() {
    Arrays.fill(large, content(99));
    try {
      history.store(999, more);
    } catch (HistoryException e) {
      return "large refused";
    }
    Arrays.fill(large, (byte) 0);
    history.restore(999, more, true);
    return "large " + isFull(large, content(99));
  }

  /** Restores all steps, and says how many were as they had been, lost, and anything else. */
  private String restore(int steps) {
    int good = 0;
    int lost = 0;
    for (int step = steps - 1; step >= 0; step--) {
      Arrays.fill(field, (byte) 0);
      try {
        history.restore(step, true);
        good += isFull(field, content(step)) ? 1 : 0;
      } catch (HistoryException e) {
        // The lender may have died in the middle of the read.
        Until.holds(() -> history.stats().lost() > 0);
        lost += isLost(step) ? 1 : 0;
      }
    }
    return String.format(
        Locale.ROOT, "restored %d lost %d other %d", good, lost, steps - good - lost);
  }

  private boolean isLost(int step) {
    try {
      history.restore(step, false);
      return false;
    } catch (HistoryException e) {
      return e.toString().contains("step " + step + " is lost");
    }
  }

  private byte content(int step) {
    return (byte) (1 + 7 * step + 100 * number);
  }

  private static boolean isFull(byte[] bytes, byte content) {
    for (byte one : bytes) {
      if (one != content) {
        return false;
      }
    }
    return true;
  }
}
