package io.cairn.lab.study.schedule;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.core.flow.CutCertificate;
import io.cairn.core.flow.Infeasible;
import io.cairn.core.flow.TightCapacity;
import io.cairn.core.flow.Transfer;
import io.cairn.core.flow.TransferPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes outcomes as lines of JSON. Flushes each line, so that a reader at the other end of a pipe
 * need not wait. Numbers are written so that they are read back as the same. Not thread-safe.
 */
final class OutcomeWriter {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String HOST = "host";

  /** Below this a double holds every whole number. */
  private static final double WHOLE = 1L << 53;

  private final PrintWriter out;

  OutcomeWriter(PrintWriter out) {
    this.out = out;
  }

  /** An object of JSON; members keep their order. */
  private static final class Members extends LinkedHashMap<String, @Nullable Object> {
    private static final long serialVersionUID = 1;

    Members with(String name, @Nullable Object value) {
      put(name, value);
      return this;
    }
  }

  void plan(@Nullable String id, int devices, TransferPlan plan, long solveNanos)
      throws IOException {
    line(
        new Members()
            .with("id", id)
            .with("feasible", true)
            .with("blockingSeconds", number(plan.blockingSeconds()))
            .with(
                "senderSeconds",
                IntStream.range(0, devices)
                    .mapToObj(device -> number(plan.senderSeconds(device)))
                    .toList())
            .with("transfers", plan.transfers().stream().map(OutcomeWriter::transfer).toList())
            .with("certificate", certificate(plan.certificate()))
            .with("solveMicros", solveNanos / 1e3));
  }

  void infeasible(@Nullable String id, Infeasible outcome, long solveNanos) throws IOException {
    line(
        new Members()
            .with("id", id)
            .with("feasible", false)
            .with("reason", outcome.reason())
            .with("certificate", certificate(outcome.certificate()))
            .with("solveMicros", solveNanos / 1e3));
  }

  void error(long number, @Nullable String id, String error) throws IOException {
    line(new Members().with("line", number).with("id", id).with("error", error));
  }

  private void line(Members members) throws IOException {
    out.print(MAPPER.writeValueAsString(members));
    out.print('\n');
    if (out.checkError()) { // flushes too
      throw new IOException("the output takes no more; its reader is gone, or its disk is full");
    }
  }

  private static Map<String, @Nullable Object> transfer(Transfer transfer) {
    return new Members()
        .with("from", transfer.from())
        .with("to", transfer.toHost() ? HOST : transfer.to())
        .with("bytes", number(transfer.bytes()));
  }

  private static @Nullable Object certificate(Optional<CutCertificate> certificate) {
    return certificate
        .map(
            cut ->
                new Members()
                    .with("senders", cut.senders())
                    .with("receivers", cut.receivers())
                    .with("tight", cut.tight().stream().map(OutcomeWriter::tight).toList())
                    .with("lowerBoundSeconds", number(cut.lowerBoundSeconds())))
        .orElse(null);
  }

  private static Map<String, @Nullable Object> tight(TightCapacity capacity) {
    boolean host = capacity.kind() == TightCapacity.Kind.HOST;
    return new Members()
        .with("kind", name(capacity.kind()))
        .with("from", device(capacity.from()))
        .with("to", host ? HOST : device(capacity.to()))
        .with("members", capacity.members())
        .with("bytesPerSecond", number(capacity.bytesPerSecond()));
  }

  private static @Nullable Integer device(int device) {
    return device < 0 ? null : Integer.valueOf(device);
  }

  /** Whole numbers without a point; what JSON has no number for as null. */
  private static @Nullable Number number(double value) {
    if (!Double.isFinite(value)) {
      return null;
    }
    if (value == Math.rint(value) && Math.abs(value) < WHOLE) {
      return (long) value;
    }
    return value;
  }

  /** Kinds are named as the keys of problems are. */
  private static String name(TightCapacity.Kind kind) {
    return switch (kind) {
      case LINK -> "link";
      case HOST -> "host";
      case SHARED_HOST -> "hostGroup";
      case EGRESS -> "egress";
      case INGRESS -> "ingress";
      case NIC_OUT -> "nicOut";
      case NIC_IN -> "nicIn";
    };
  }
}
