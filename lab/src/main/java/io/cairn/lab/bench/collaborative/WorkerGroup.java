package io.cairn.lab.bench.collaborative;

import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.TransferPlan;
import io.cairn.lab.measure.Scratch;
import io.cairn.lab.study.schedule.Algorithm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A set of workers and the desk that plans for them. Executes checkpoints, one at a time. */
final class WorkerGroup implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Until then every process has read what it is to do. */
  private static final long NOTICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int WARM_UPS = 10;

  private final Scratch scratch;
  private final SwitchedDesk desk;
  private final WorkerSetting setting;
  private final List<Child> children = new ArrayList<>();
  private long iteration;

  /**
   * Starts them.
   *
   * @param drawing whose snapshots they will execute
   * @param slowed a link that is not as it is declared; null if there is none
   */
  WorkerGroup(PlayedMachine machine, Drawing drawing, WorkerSetting.@Nullable SlowLink slowed)
      throws IOException {
    scratch = Scratch.create();
    desk = new SwitchedDesk(machine);
    setting =
        new WorkerSetting(
            machine,
            drawing.cacheMegabytes(),
            drawing.mostRemainder(),
            machine.played(drawing.mostBytes()),
            slowed,
            scratch.inMemory("workers"),
            desk.port());
    try {
      setting.create();
      for (int device = 0; device < machine.devices(); device++) {
        children.add(WorkerProcess.start(device, setting));
      }
      open();
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** One after the other, so that the desk knows devices in their order. */
  private void open() throws IOException {
    for (int device = 0; device < children.size(); device++) {
      children.get(device).send("open");
      children.get(device).await(PATIENCE);
      desk.awaitDevices(device + 1);
    }
  }

  /** Executes a snapshot a few times, so that the processes know each other and are compiled. */
  void warmUp(Moment moment) throws IOException {
    for (int i = 0; i < WARM_UPS; i++) {
      execute(moment, Algorithm.EXACT);
    }
  }

  /**
   * Executes a snapshot.
   *
   * @throws IOException also if a byte is wrong, the desk planned for another checkpoint, or the
   *     ranks did not execute the plan
   */
  Execution execute(Moment moment, Algorithm algorithm) throws IOException {
    desk.scheduler().switchTo(algorithm);
    Measured measured = checkpoint(moment);
    TransferPlan plan = plan(moment);
    requireExecuted(plan, measured);
    return new Execution(
        setting.cacheChunks(),
        moment.number(),
        algorithm,
        plan.blockingSeconds(),
        PlanTimes.seconds(plan.transfers(), setting.table()),
        measured.seconds(),
        measured.verifiedBytes());
  }

  /** Lenders may refuse, and then chunks go elsewhere than planned; not here. */
  private void requireExecuted(TransferPlan plan, Measured measured) throws IOException {
    double planned =
        plan.transfers().stream()
            .filter(transfer -> !transfer.toHost())
            .mapToDouble(transfer -> transfer.bytes() / setting.machine().chunkBytes())
            .sum();
    if (Math.round(planned) != measured.borrowedChunks()) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%.0f chunks were planned to peers, and %d went there",
              planned,
              measured.borrowedChunks()));
    }
  }

  /** The measurements of one checkpoint. */
  private record Measured(double seconds, int borrowedChunks, long verifiedBytes) {}

  private Measured checkpoint(Moment moment) throws IOException {
    iteration++;
    for (int rank = 0; rank < children.size(); rank++) {
      long bytes = setting.machine().played(moment.bytes().get(rank));
      children.get(rank).send("prepare", iteration, bytes);
    }
    answers();
    sendAll("share", System.nanoTime() + NOTICE_NANOS);
    List<Worker.Shared> shared = answers().stream().map(Worker.Shared::of).toList();
    long asked = shared.stream().mapToLong(Worker.Shared::asked).min().orElseThrow();
    long landed = shared.stream().mapToLong(Worker.Shared::landed).max().orElseThrow();
    int borrowed = shared.stream().mapToInt(Worker.Shared::borrowed).sum();
    sendAll("verify");
    long verified = answers().stream().mapToLong(Long::parseLong).sum();
    sendAll("drop");
    answers();
    return new Measured((landed - asked) / 1e9, borrowed, verified);
  }

  private void sendAll(Object... words) throws IOException {
    for (Child child : children) {
      child.send(words);
    }
  }

  private List<String> answers() throws IOException {
    List<String> answers = new ArrayList<>();
    for (Child child : children) {
      answers.add(child.await(PATIENCE));
    }
    return answers;
  }

  /** The desk's plan, if it is for the remainders and spares of the ranks. */
  private TransferPlan plan(Moment moment) throws IOException {
    SwitchedScheduler.Scheduled last =
        desk.scheduler()
            .last()
            .orElseThrow(() -> new IOException("snapshot " + moment.number() + " had no plan"));
    FlowProblem found = last.problem();
    FlowProblem expected = moment.problem(found.topology(), setting.machine().chunkBytes());
    for (int device = 0; device < expected.devices(); device++) {
      if (found.remainderBytes(device) != expected.remainderBytes(device)
          || found.spareBytes(device) != expected.spareBytes(device)) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "snapshot %d, device %d: planned with %d bytes left and %d to spare, not %d and %d",
                moment.number(),
                device,
                found.remainderBytes(device),
                found.spareBytes(device),
                expected.remainderBytes(device),
                expected.spareBytes(device)));
      }
    }
    return (TransferPlan) last.outcome();
  }

  @Override
  public void close() throws IOException {
    for (Child child : children) {
      child.close();
    }
    desk.close();
    scratch.close();
  }
}
