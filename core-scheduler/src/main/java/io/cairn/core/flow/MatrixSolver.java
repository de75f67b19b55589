package io.cairn.core.flow;

import java.util.Arrays;

/**
 * The exact optimum without shared capacities, on matrices of senders × receivers, by Newton's
 * steps on minimum cuts. O(senders × receivers) per path length and step; keeps its arrays; one
 * thread.
 */
final class MatrixSolver {
  /*
   * Newton's steps
   *
   * The search starts at a lower bound and computes a maximum flow for that time. While units are
   * left, the minimum cut gives the next time: the least at which that cut carries its units. Times
   * only rise, so the flow stays valid. After a long step the flow is sown anew, since a new first
   * flow is then nearer to the maximum.
   *
   * Starting time
   *
   * Equal rates: UniformOptimum. Else the later of two cuts: around one sender, and around all
   * receivers.
   *
   * Refinement
   *
   * Senders that the last cut holds to the least time are settled, and the least time of the others
   * is searched, until all are settled.
   */

  /** A step by more than this is long. */
  private static final double FAR = 1.001;

  private static final double TIE = 1 - 1e-9;

  private final UniformOptimum uniformOptimum = new UniformOptimum();
  private final MatrixFlow matrix = new MatrixFlow();
  private final MatrixSeed seed = new MatrixSeed();
  private final MatrixAugmentation augmentation = new MatrixAugmentation();
  private final CutTime cutTime = new CutTime();
  private final PlanWriter plan = new PlanWriter();
  private boolean[] cutSenders = new boolean[0];
  private boolean[] cutReceivers = new boolean[0];
  private int[] outsideReceivers = new int[0];
  private int outside;
  private boolean[] settled = new boolean[0];

  FlowOutcome solve(FlowProblem problem, boolean wholeChunks, boolean lexicographic) {
    MatrixFlow m = matrix;
    m.load(problem, wholeChunks);
    reserve();
    boolean uniform = !wholeChunks && UniformOptimum.applies(problem.topology());
    double start = m.senders == 0 ? 0 : uniform ? uniformTime(problem) : startingTime();
    double seconds = m.senders == 0 ? 0 : leastTime(start);
    CutCertificate certificate = certificate(problem, seconds);
    if (seconds == Double.POSITIVE_INFINITY) {
      return Infeasible.proven(problem, certificate);
    }
    if (lexicographic && seconds > 0) {
      refine(seconds);
    }
    return write(problem, certificate);
  }

  /**
   * Lets every sender finish as early as the later ones allow. In whole units, some senders of a
   * cut may not need all of its time; they are settled with the others.
   */
  private void refine(double leastTime) {
    double seconds = leastTime;
    while (settle(seconds) && open() > 0) {
      seconds = leastTime(startingTime());
    }
  }

  private void reserve() {
    if (cutSenders.length < matrix.senders) {
      cutSenders = new boolean[matrix.senders];
      settled = new boolean[matrix.senders];
    }
    if (cutReceivers.length < matrix.receivers) {
      cutReceivers = new boolean[matrix.receivers];
      outsideReceivers = new int[matrix.receivers];
    }
    Arrays.fill(settled, 0, matrix.senders, false);
  }

  /**
   * The least time of the senders that are not settled, with a flow and a tight cut; or ∞.
   *
   * @param start the time of a cut, before which there is no plan
   */
  private double leastTime(double start) {
    double seconds = start;
    if (seconds == Double.POSITIVE_INFINITY) {
      return seconds;
    }
    double slack = Precision.LEAST_SLACK;
    setTime(seconds);
    seed.sow(matrix);
    augmentation.toMaximum(matrix);
    while (!matrix.complete() && slack < Precision.MOST_SLACK) {
      takeCut();
      double later = timeOfCut();
      if (later == Double.POSITIVE_INFINITY && open() == matrix.senders) {
        return later;
      }
      if (later > seconds * (1 + Precision.LEAST_SLACK) && later < Double.POSITIVE_INFINITY) {
        boolean far = !matrix.whole && later > seconds * FAR;
        seconds = later;
        setTime(seconds);
        if (far) { // a new first flow is nearer to the maximum than the old flow
          seed.sow(matrix);
        }
      } else { // the rest is rounding, of this cut or of settled senders
        setTime(seconds * (1 + slack));
        slack *= 4;
      }
      augmentation.toMaximum(matrix);
    }
    return seconds;
  }

  /** Takes the tightest cut for equal rates, and returns its time; ties are on either side. */
  private double uniformTime(FlowProblem problem) {
    MatrixFlow m = matrix;
    double seconds = uniformOptimum.seconds(problem);
    if (seconds == Double.POSITIVE_INFINITY) {
      return startingTime();
    }
    double linkRate = m.receivers == 0 ? 0 : m.rate[0];
    double others = (m.receivers - uniformOptimum.cutReceivers()) * linkRate;
    double least = seconds * (m.hostRate[0] + others) * TIE;
    double most = seconds * uniformOptimum.cutSenders() * linkRate;
    for (int i = 0; i < m.senders; i++) {
      cutSenders[i] = m.need[i] >= least;
    }
    for (int j = 0; j < m.receivers; j++) {
      cutReceivers[j] = m.spare[j] <= most;
    }
    return timeOfCut();
  }

  /** The best of the cuts around one sender, and of those around all receivers. */
  private double startingTime() {
    MatrixFlow m = matrix;
    int tightest = 0;
    double longest = -1;
    for (int i = 0; i < m.senders; i++) {
      double alone = settled[i] ? 0 : m.need[i] / (m.hostRate[i] + m.linkRates[i]);
      if (alone > longest) {
        longest = alone;
        tightest = i;
      }
    }
    boolean hostsDecide = open() == m.senders && timeOfHosts(longest) > longest;
    Arrays.fill(cutReceivers, 0, m.receivers, hostsDecide);
    if (!hostsDecide) {
      Arrays.fill(cutSenders, 0, m.senders, false);
      cutSenders[tightest] = true;
    }
    return timeOfCut();
  }

  /**
   * The time in which the hosts carry the excess over all spare, if every link were free. The cut
   * holds the senders whose hosts are busy all of that time. Newton's steps, which only rise.
   */
  private double timeOfHosts(double from) {
    MatrixFlow m = matrix;
    double spare = 0;
    for (int j = 0; j < m.receivers; j++) {
      spare += m.spare[j];
    }
    double seconds = from;
    while (true) {
      double over = -spare;
      double hosts = 0;
      for (int i = 0; i < m.senders; i++) {
        boolean busy = m.need[i] > m.hostRate[i] * seconds;
        cutSenders[i] = busy;
        over += busy ? m.need[i] : 0;
        hosts += busy ? m.hostRate[i] : 0;
      }
      double later = over > 0 ? over / hosts : 0;
      if (later <= seconds * (1 + Precision.LEAST_SLACK)) {
        return seconds;
      }
      if (later == Double.POSITIVE_INFINITY) {
        return later;
      }
      seconds = later;
    }
  }

  private int open() {
    int open = 0;
    for (int i = 0; i < matrix.senders; i++) {
      open += settled[i] ? 0 : 1;
    }
    return open;
  }

  private void setTime(double seconds) {
    for (int i = 0; i < matrix.senders; i++) {
      if (!settled[i]) {
        matrix.time[i] = seconds;
      }
    }
  }

  private void takeCut() {
    for (int i = 0; i < matrix.senders; i++) {
      cutSenders[i] = augmentation.cutSender(i);
    }
    for (int j = 0; j < matrix.receivers; j++) {
      cutReceivers[j] = augmentation.cutReceiver(j);
    }
  }

  /** The time at which the cut carries its units; ∞ if never. */
  private double timeOfCut() {
    MatrixFlow m = matrix;
    double units = 0;
    outside = 0;
    for (int j = 0; j < m.receivers; j++) {
      if (cutReceivers[j]) {
        units -= m.spare[j];
      } else {
        outsideReceivers[outside++] = j;
      }
    }
    cutTime.begin();
    for (int i = 0; i < m.senders; i++) {
      if (cutSenders[i]) {
        units += m.need[i] - (settled[i] ? carriedBySettled(i) : 0);
        if (!settled[i]) {
          addCrossing(i);
        }
      }
    }
    if (cutTime.sum() == 0) {
      return units > 0 ? Double.POSITIVE_INFINITY : 0;
    }
    return m.whole ? cutTime.ofWhole(units) : cutTime.ofFluid(units);
  }

  private void addCrossing(int i) {
    cutTime.add(matrix.hostRate[i]);
    int row = i * matrix.receivers;
    for (int k = 0; k < outside; k++) {
      cutTime.add(matrix.rate[row + outsideReceivers[k]]);
    }
  }

  private double carriedBySettled(int i) {
    MatrixFlow m = matrix;
    double units = m.capacity(m.hostRate[i], m.time[i]);
    for (int k = 0; k < outside; k++) {
      units += m.capacity(m.rate[i * m.receivers + outsideReceivers[k]], m.time[i]);
    }
    return units;
  }

  /** Settles the senders that the cut holds to this time; returns whether there was one. */
  private boolean settle(double seconds) {
    boolean any = false;
    for (int i = 0; i < matrix.senders; i++) {
      if (cutSenders[i] && !settled[i]) {
        cutTime.begin();
        addCrossing(i);
        if (cutTime.sum() > 0 && (!matrix.whole || cutTime.isMoment(seconds))) {
          settled[i] = true;
          matrix.time[i] = seconds * (1 + 10 * Precision.LEAST_SLACK);
          any = true;
        }
      }
    }
    return any;
  }

  private CutCertificate certificate(FlowProblem problem, double seconds) {
    return new CutCertificate(
        problem,
        matrix.whole,
        seconds,
        chosen(cutSenders, matrix.sender, seconds > 0 ? matrix.senders : 0),
        chosen(cutReceivers, matrix.receiver, seconds > 0 ? matrix.receivers : 0),
        null);
  }

  private static int[] chosen(boolean[] side, int[] devices, int count) {
    int size = 0;
    for (int k = 0; k < count; k++) {
      size += side[k] ? 1 : 0;
    }
    int[] chosen = new int[size];
    for (int k = 0, n = 0; k < count; k++) {
      if (side[k]) {
        chosen[n++] = devices[k];
      }
    }
    return chosen;
  }

  private TransferPlan write(FlowProblem problem, CutCertificate certificate) {
    MatrixFlow m = matrix;
    plan.begin(problem, m.whole);
    for (int i = 0; i < m.senders; i++) {
      double least = m.need[i] * Precision.DUST;
      double rest = m.need[i];
      int row = i * m.receivers;
      for (int j = 0; j < m.receivers; j++) {
        double units = m.flow[row + j];
        if (units > least) {
          plan.add(m.sender[i], m.receiver[j], units, m.rate[row + j]);
          rest -= units;
        }
      }
      if (m.toHost[i] > least) {
        plan.add(m.sender[i], Transfer.HOST, m.toHost[i], m.hostRate[i]);
        rest -= m.toHost[i];
      }
      plan.round(rest);
    }
    return plan.plan(problem, certificate);
  }
}
