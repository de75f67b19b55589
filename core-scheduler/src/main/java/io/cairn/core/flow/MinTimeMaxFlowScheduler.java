package io.cairn.core.flow;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The published optimum: each chunk takes the path whose last transfer ends first, and may move
 * earlier chunks to other paths.
 *
 * <p>Problem: the least blocking time in whole chunks, exactly. A forward edge has the label (flow
 * + 1) × seconds per chunk, a back edge (flow − 1) × seconds per chunk. A path's label is the
 * greatest label of its edges. The host is one node without limit. A back edge exists wherever flow
 * was pushed, whether or not the reverse link does. O(chunks × devices × links) in the worst case.
 * Source: Maurya et al. 2021, Algorithm 2, read as above where its text leaves a choice; other
 * readings are not optimal. Sender times are not refined.
 *
 * <p>Restrictions: it uses direct links only and ignores shared capacities when it chooses; the
 * times of its plan honour them. More than ten million chunks, or 2^26 pairs of senders and
 * receivers, are an {@link IllegalArgumentException}.
 */
public final class MinTimeMaxFlowScheduler implements FlowScheduler {
  private static final int MOST_CHUNKS = 10_000_000;

  private static final long MOST_PAIRS = 1 << 26;

  private final PlanWriter plan = new PlanWriter();

  @Override
  public FlowOutcome schedule(FlowProblem problem) {
    requireSmall(problem);
    Search search = new Search(problem);
    while (search.augment()) {
      // each call ships one chunk
    }
    plan.begin(problem, true);
    for (int i = 0; i < search.senders.length; i++) {
      if (search.waiting[i] > 0) {
        return new Infeasible(
            String.format(
                Locale.ROOT,
                "device %d has %d chunks left that reach neither spare nor a host over direct"
                    + " links",
                search.senders[i],
                search.waiting[i]),
            Optional.empty());
      }
      for (int j = 0; j < search.receivers.length; j++) {
        if (search.flow[i][j] > 0) {
          plan.add(search.senders[i], search.receivers[j], search.flow[i][j], search.rate[i][j]);
        }
      }
    }
    return plan.unproven(problem);
  }

  private static void requireSmall(FlowProblem problem) {
    double chunks = 0;
    long senders = 0;
    long receivers = 0;
    for (int device = 0; device < problem.devices(); device++) {
      chunks += problem.remainderChunks(device);
      senders += problem.remainderChunks(device) > 0 ? 1 : 0;
      receivers += problem.spareChunks(device) > 0 ? 1 : 0;
    }
    if (senders * receivers > MOST_PAIRS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d senders and %d receivers are too many for a matrix of their pairs, %d at most;"
                  + " take the exact scheduler",
              senders,
              receivers,
              MOST_PAIRS));
    }
    if (chunks > MOST_CHUNKS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%.0f chunks are too many to place one by one, %d at most; take larger chunks, or the"
                  + " exact scheduler",
              chunks,
              MOST_CHUNKS));
    }
  }

  /** The network: senders, receivers, and the host as the last receiver. */
  private static final class Search {
    private static final int NONE = -1;

    final int[] senders;
    final int[] receivers;
    final long[] waiting;
    final double[][] flow;
    final double[][] rate;
    private final double[] left;
    private final double[] senderLabel;
    private final double[] receiverLabel;
    private final int[] senderParent;
    private final int[] receiverParent;
    private final ArrayDeque<Integer> queue = new ArrayDeque<>();

    Search(FlowProblem problem) {
      senders = devices(problem.devices(), device -> problem.remainderChunks(device) > 0);
      int[] peers = devices(problem.devices(), device -> problem.spareChunks(device) > 0);
      receivers = Arrays.copyOf(peers, peers.length + 1);
      receivers[peers.length] = Transfer.HOST;
      waiting = IntStream.of(senders).mapToLong(problem::remainderChunks).toArray();
      left = new double[receivers.length];
      flow = new double[senders.length][receivers.length];
      rate = new double[senders.length][receivers.length];
      for (int j = 0; j < peers.length; j++) {
        left[j] = problem.spareChunks(peers[j]);
      }
      left[peers.length] = Double.POSITIVE_INFINITY;
      Topology topology = problem.topology();
      double chunk = problem.chunkBytes();
      for (int i = 0; i < senders.length; i++) {
        for (int j = 0; j < peers.length; j++) {
          rate[i][j] = topology.linkBytesPerSecond(senders[i], peers[j]) / chunk;
        }
        rate[i][peers.length] = topology.hostBytesPerSecond(senders[i]) / chunk;
      }
      senderLabel = new double[senders.length];
      receiverLabel = new double[receivers.length];
      senderParent = new int[senders.length];
      receiverParent = new int[receivers.length];
    }

    private static int[] devices(int count, IntPredicate wanted) {
      return IntStream.range(0, count).filter(wanted).toArray();
    }

    /** Ships one chunk on the path that ends first; returns whether there was one. */
    boolean augment() {
      label();
      int end = NONE;
      for (int j = 0; j < receivers.length; j++) {
        boolean open = left[j] > 0 && receiverLabel[j] < Double.POSITIVE_INFINITY;
        if (open && (end == NONE || receiverLabel[j] < receiverLabel[end])) {
          end = j;
        }
      }
      if (end == NONE) {
        return false;
      }
      left[end]--;
      for (int j = end; ; ) {
        int i = receiverParent[j];
        flow[i][j]++;
        j = senderParent[i];
        if (j == NONE) {
          waiting[i]--;
          return true;
        }
        flow[i][j]--;
      }
    }

    /** Labels by relaxation until nothing changes; senders are queued as they are, others as ~j. */
    private void label() {
      Arrays.fill(senderLabel, Double.POSITIVE_INFINITY);
      Arrays.fill(receiverLabel, Double.POSITIVE_INFINITY);
      for (int i = 0; i < senders.length; i++) {
        if (waiting[i] > 0) {
          senderLabel[i] = 0;
          senderParent[i] = NONE;
          queue.add(i);
        }
      }
      while (!queue.isEmpty()) {
        int vertex = queue.remove();
        if (vertex >= 0) {
          relaxForward(vertex);
        } else {
          relaxBack(~vertex);
        }
      }
    }

    private void relaxForward(int i) {
      for (int j = 0; j < receivers.length; j++) {
        double label = Math.max(senderLabel[i], (flow[i][j] + 1) / rate[i][j]);
        if (rate[i][j] > 0 && label < receiverLabel[j]) {
          receiverLabel[j] = label;
          receiverParent[j] = i;
          queue.add(~j);
        }
      }
    }

    private void relaxBack(int j) {
      for (int i = 0; i < senders.length; i++) {
        double label = Math.max(receiverLabel[j], (flow[i][j] - 1) / rate[i][j]);
        if (flow[i][j] > 0 && label < senderLabel[i]) {
          senderLabel[i] = label;
          senderParent[i] = j;
          queue.add(i);
        }
      }
    }
  }
}
