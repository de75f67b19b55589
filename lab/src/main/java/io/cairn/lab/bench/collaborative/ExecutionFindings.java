package io.cairn.lab.bench.collaborative;

import java.util.List;
import java.util.stream.Stream;

/**
 * The findings of executing checkpoints.
 *
 * @param copyBytesPerSecond that this machine copies, one thread at a time
 * @param slowed the link of the negative control
 * @param results of all links as they are declared
 * @param controls with the slowed link
 */
record ExecutionFindings(
    PlayedMachine machine,
    double copyBytesPerSecond,
    List<Drawing> drawings,
    WorkerSetting.SlowLink slowed,
    List<Execution> results,
    List<Execution> controls) {
  ExecutionFindings {
    drawings = List.copyOf(drawings);
    results = List.copyOf(results);
    controls = List.copyOf(controls);
  }

  long verifiedBytes() {
    return Stream.concat(results.stream(), controls.stream())
        .mapToLong(Execution::verifiedBytes)
        .sum();
  }

  /** The shortest time that a plan predicted. */
  double leastPredictedSeconds() {
    return results.stream().mapToDouble(Execution::predictedSeconds).min().orElseThrow();
  }
}
