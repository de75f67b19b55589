package io.cairn.benchmarks.collaborative;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The process of one {@link Worker}. */
final class WorkerProcess {
  private WorkerProcess() {}

  /** Starts one for a device and the rank of its number. */
  static Child start(int device, WorkerSetting setting) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(Integer.toString(device));
    arguments.addAll(setting.words());
    return Child.start(
        "device-" + device,
        WorkerProcess.class,
        List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=512m"),
        arguments);
  }

  /** What a process is started with; see {@link #start}. */
  public static void main(String[] arguments) throws IOException {
    List<String> words = List.of(arguments);
    WorkerSetting setting = WorkerSetting.of(words.subList(1, words.size()));
    try (Worker worker = new Worker(Integer.parseInt(words.get(0)), setting)) {
      Child.serve(System.in, System.out, command -> handle(worker, command));
    }
  }

  private static String handle(Worker worker, List<String> command) throws Exception {
    return switch (command.get(0)) {
      case "prepare" -> {
        worker.prepare(Long.parseLong(command.get(1)), Long.parseLong(command.get(2)));
        yield "prepared";
      }
      case "share" -> worker.share(Long.parseLong(command.get(1))).toString();
      case "verify" -> Long.toString(worker.verify());
      case "drop" -> {
        worker.drop();
        yield "dropped";
      }
      default -> throw new IllegalArgumentException("there is no command " + command);
    };
  }
}
