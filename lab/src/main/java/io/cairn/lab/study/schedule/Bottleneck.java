package io.cairn.lab.study.schedule;

import io.cairn.cli.Units;
import io.cairn.core.flow.CutCertificate;
import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.TightCapacity;
import io.cairn.core.flow.Transfer;
import io.cairn.core.flow.TransferPlan;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The limit of a plan's speed: the capacities that its certificate names, or, of a plan without
 * one, the transfers that take longest. Immutable.
 */
final class Bottleneck {
  private static final double SAME = 1 - 1e-9;
  private static final int TOLD = 4;

  /** A way out of a device. */
  private record Way(int from, int to) {}

  private final FlowProblem problem;
  private final Set<Way> ways = new HashSet<>();
  private final Set<Integer> caps = new HashSet<>();
  private final Set<List<Integer>> cards = new HashSet<>();
  private final String text;

  Bottleneck(FlowProblem problem, TransferPlan plan) {
    this.problem = problem;
    List<TightCapacity> tight = plan.certificate().map(CutCertificate::tight).orElse(List.of());
    tight.forEach(this::mark);
    if (plan.certificate().isPresent()) {
      text = listed(tight.stream().map(Bottleneck::name).toList());
      return;
    }
    List<Transfer> longest =
        plan.transfers().stream()
            .filter(each -> seconds(each) >= plan.blockingSeconds() * SAME)
            .toList();
    longest.forEach(each -> ways.add(new Way(each.from(), each.to())));
    text = listed(longest.stream().map(each -> name(each.from(), each.to())).toList());
  }

  private void mark(TightCapacity capacity) {
    switch (capacity.kind()) {
      case LINK -> ways.add(new Way(capacity.from(), capacity.to()));
      case HOST -> ways.add(new Way(capacity.from(), Transfer.HOST));
      case SHARED_HOST ->
          capacity.members().forEach(device -> ways.add(new Way(device, Transfer.HOST)));
      case EGRESS -> caps.add(capacity.from());
      case INGRESS -> caps.add(capacity.to());
      case NIC_OUT, NIC_IN -> cards.add(capacity.members());
    }
  }

  private double seconds(Transfer transfer) {
    double rate =
        transfer.toHost()
            ? problem.topology().hostBytesPerSecond(transfer.from())
            : problem.topology().linkBytesPerSecond(transfer.from(), transfer.to());
    return rate == 0 ? 0 : transfer.bytes() / rate;
  }

  /** Whether the link that a transfer takes is full. */
  boolean has(Transfer transfer) {
    return ways.contains(new Way(transfer.from(), transfer.to()));
  }

  /** Whether what a device sends to others, or receives from them, is at its cap. */
  boolean hasCapOf(int device) {
    return caps.contains(device);
  }

  /** Whether the network card of the node with these devices is full. */
  boolean hasCardOf(List<Integer> devices) {
    return cards.contains(devices);
  }

  /** The limit in words; empty if there is none. */
  String text() {
    return text;
  }

  private static String listed(List<String> names) {
    String more =
        names.size() > TOLD ? String.format(Locale.ROOT, " and %d more", names.size() - TOLD) : "";
    return names.stream().limit(TOLD).collect(Collectors.joining(", ")) + more;
  }

  private static String name(TightCapacity capacity) {
    String rate = " at " + Units.decimalBytes(capacity.bytesPerSecond()) + "/s";
    return switch (capacity.kind()) {
          case LINK, HOST -> name(capacity.from(), capacity.to());
          case SHARED_HOST -> "host link of " + devices(capacity.members());
          case EGRESS -> "what G" + capacity.from() + " sends";
          case INGRESS -> "what G" + capacity.to() + " receives";
          case NIC_OUT -> "network out of " + devices(capacity.members());
          case NIC_IN -> "network into " + devices(capacity.members());
        }
        + rate;
  }

  private static String name(int from, int to) {
    return "G" + from + " to " + (to == Transfer.HOST ? "host" : "G" + to);
  }

  private static String devices(List<Integer> members) {
    int last = members.size() - 1;
    String rest = last == 0 ? "" : (last == 1 ? ", G" : " … G") + members.get(last);
    return "G" + members.get(0) + rest;
  }
}
