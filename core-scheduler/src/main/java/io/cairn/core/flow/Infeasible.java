package io.cairn.core.flow;

import java.util.Locale;
import java.util.Optional;

/**
 * There is no plan, or a heuristic found none.
 *
 * @param reason the senders and their bytes that have no way out, for people
 * @param certificate the proof, from an exact scheduler: its tight capacities carry nothing, and
 *     its lower bound is infinite
 */
public record Infeasible(String reason, Optional<CutCertificate> certificate)
    implements FlowOutcome {
  static Infeasible proven(FlowProblem problem, CutCertificate certificate) {
    long bytes =
        certificate.senders().stream().mapToLong(device -> problem.remainderBytes(device)).sum();
    long spare =
        certificate.receivers().stream().mapToLong(device -> problem.spareBytes(device)).sum();
    String unit = certificate.wholeChunks() ? " in whole chunks" : "";
    return new Infeasible(
        String.format(
            Locale.ROOT,
            "devices %s have %d bytes left, and no way out but %d bytes of spare%s on devices %s",
            certificate.senders(),
            bytes,
            spare,
            unit,
            certificate.receivers()),
        Optional.of(certificate));
  }
}
