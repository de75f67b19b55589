package io.cairn.lab.bench.collaborative;

import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The process of one {@link Worker}, which is opened when that is said. */
final class WorkerProcess {
  private final int device;
  private final WorkerSetting setting;
  private @Nullable Worker worker;

  private WorkerProcess(int device, WorkerSetting setting) {
    this.device = device;
    this.setting = setting;
  }

  /** Starts one for a device and the rank of its number. */
  static Child start(int device, WorkerSetting setting) throws IOException {
    return Child.start(
        Command.java(WorkerProcess.class, device, setting.scratch())
            .options("-Xmx128m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=512m"));
  }

  /** The process's entry; see {@link #start}. */
  public static void main(String[] arguments) throws IOException {
    WorkerProcess process =
        new WorkerProcess(
            Integer.parseInt(arguments[0]), WorkerSetting.read(Path.of(arguments[1])));
    try {
      Child.serve(System.in, System.out, process::handle);
    } finally {
      process.close();
    }
  }

  private String handle(List<String> command) throws Exception {
    if (command.get(0).equals("open")) {
      worker = new Worker(device, setting);
      return "opened";
    }
    return handle(Objects.requireNonNull(worker, "not opened yet"), command);
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

  private void close() {
    if (worker != null) {
      worker.close();
    }
  }
}
