package io.cairn.core.flow;

import java.util.Arrays;

/**
 * The exact optimum without shared capacities, on matrices of senders × receivers: Newton's steps
 * on minimum cuts. It starts at a time below which some cut proves that no plan exists, ships what
 * can be shipped in that time, and while something is left, goes on to the least time at which the
 * cut that blocks carries what it must. Times only rise, so the flow stays valid throughout; after
 * a long step a new first flow is nearer, all the same.
 */
final class TransportSolver {
  /** A later time that is no later than this is rounding, not another cut. */
  static final double LEAST_SLACK = 1e-12;

  /** What is still left after so much more time cannot be shipped at this precision. */
  static final double MOST_SLACK = 1e-9;

  /** Less than this of a remainder is rounding, not a transfer. */
  static final double DUST = 1e-11;

  /** A step by more than this is long. */
  private static final double FAR = 1.001;

  private static final double TIE = 1 - 1e-9;

  private final UniformOptimum uniformOptimum = new UniformOptimum();
  private final Transport transport = new Transport();
  private final TransportSeed seed = new TransportSeed();
  private final Augmentation augmentation = new Augmentation();
  private final CutTime cutTime = new CutTime();
  private final PlanWriter plan = new PlanWriter();
  private boolean[] cutSenders = new boolean[0];
  private boolean[] cutReceivers = new boolean[0];
  private int[] outsideReceivers = new int[0];
  private int outside;
  private boolean[] settled = new boolean[0];

  FlowOutcome solve(FlowProblem problem, boolean wholeChunks, boolean lexicographic) {
    Transport t = transport;
    t.load(problem, wholeChunks);
    reserve();
    boolean uniform = !wholeChunks && UniformOptimum.applies(problem.topology());
    double start = t.senders == 0 ? 0 : uniform ? uniformTime(problem) : startingTime();
    double seconds = t.senders == 0 ? 0 : leastTime(start);
    Certificate certificate = certificate(problem, seconds);
    if (seconds == Double.POSITIVE_INFINITY) {
      return Infeasible.proven(problem, certificate);
    }
    if (lexicographic && seconds > 0) {
      refine(seconds);
    }
    return write(problem, certificate);
  }

  /**
   * Lets every sender finish as early as the later ones allow: those that the cut holds to the
   * least time are settled there, and the least time of the others is sought, until all are
   * settled. In whole units, where not all that the cut names need all of its time, they are
   * settled there nevertheless.
   */
  private void refine(double leastTime) {
    double seconds = leastTime;
    while (settle(seconds) && open() > 0) {
      seconds = leastTime(startingTime());
    }
  }

  private void reserve() {
    if (cutSenders.length < transport.senders) {
      cutSenders = new boolean[transport.senders];
      settled = new boolean[transport.senders];
    }
    if (cutReceivers.length < transport.receivers) {
      cutReceivers = new boolean[transport.receivers];
      outsideReceivers = new int[transport.receivers];
    }
    Arrays.fill(settled, 0, transport.senders, false);
  }

  /**
   * The least time of the senders that are not settled, with a flow and a tight cut; or ∞.
   *
   * @param start of the cut, before which there is none
   */
  private double leastTime(double start) {
    double seconds = start;
    if (seconds == Double.POSITIVE_INFINITY) {
      return seconds;
    }
    double slack = LEAST_SLACK;
    setTime(seconds);
    seed.sow(transport);
    augmentation.toMaximum(transport);
    while (!transport.complete() && slack < MOST_SLACK) {
      takeCut();
      double later = timeOfCut();
      if (later == Double.POSITIVE_INFINITY && open() == transport.senders) {
        return later;
      }
      if (later > seconds * (1 + LEAST_SLACK) && later < Double.POSITIVE_INFINITY) {
        boolean far = !transport.whole && later > seconds * FAR;
        seconds = later;
        setTime(seconds);
        if (far) { // a new first flow is nearer to what is sought than the old flow is
          seed.sow(transport);
        }
      } else { // what is left is rounding, of this cut or of settled senders
        setTime(seconds * (1 + slack));
        slack *= 4;
      }
      augmentation.toMaximum(transport);
    }
    return seconds;
  }

  /**
   * The cut that is tightest where all rates are equal; what ties with it may be on either side.
   */
  private double uniformTime(FlowProblem problem) {
    Transport t = transport;
    double seconds = uniformOptimum.seconds(problem);
    if (seconds == Double.POSITIVE_INFINITY) {
      return startingTime();
    }
    double linkRate = t.receivers == 0 ? 0 : t.rate[0];
    double others = (t.receivers - uniformOptimum.cutReceivers()) * linkRate;
    double least = seconds * (t.hostRate[0] + others) * TIE;
    double most = seconds * uniformOptimum.cutSenders() * linkRate;
    for (int i = 0; i < t.senders; i++) {
      cutSenders[i] = t.need[i] >= least;
    }
    for (int j = 0; j < t.receivers; j++) {
      cutReceivers[j] = t.spare[j] <= most;
    }
    return timeOfCut();
  }

  /** The best of the cuts around one sender, and of those around all receivers. */
  private double startingTime() {
    Transport t = transport;
    int tightest = 0;
    double longest = -1;
    for (int i = 0; i < t.senders; i++) {
      double alone = settled[i] ? 0 : t.need[i] / (t.hostRate[i] + t.linkRates[i]);
      if (alone > longest) {
        longest = alone;
        tightest = i;
      }
    }
    boolean hostsDecide = open() == t.senders && timeOfHosts(longest) > longest;
    Arrays.fill(cutReceivers, 0, t.receivers, hostsDecide);
    if (!hostsDecide) {
      Arrays.fill(cutSenders, 0, t.senders, false);
      cutSenders[tightest] = true;
    }
    return timeOfCut();
  }

  /**
   * The time by which the hosts carry what does not fit all spare, if every link were free, with
   * the senders whose hosts take all of that time as the cut. Newton's steps, which only rise.
   */
  private double timeOfHosts(double from) {
    Transport t = transport;
    double spare = 0;
    for (int j = 0; j < t.receivers; j++) {
      spare += t.spare[j];
    }
    double seconds = from;
    while (true) {
      double over = -spare;
      double hosts = 0;
      for (int i = 0; i < t.senders; i++) {
        boolean busy = t.need[i] > t.hostRate[i] * seconds;
        cutSenders[i] = busy;
        over += busy ? t.need[i] : 0;
        hosts += busy ? t.hostRate[i] : 0;
      }
      double later = over > 0 ? over / hosts : 0;
      if (later <= seconds * (1 + LEAST_SLACK)) {
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
    for (int i = 0; i < transport.senders; i++) {
      open += settled[i] ? 0 : 1;
    }
    return open;
  }

  private void setTime(double seconds) {
    for (int i = 0; i < transport.senders; i++) {
      if (!settled[i]) {
        transport.time[i] = seconds;
      }
    }
  }

  private void takeCut() {
    for (int i = 0; i < transport.senders; i++) {
      cutSenders[i] = augmentation.cutSender(i);
    }
    for (int j = 0; j < transport.receivers; j++) {
      cutReceivers[j] = augmentation.cutReceiver(j);
    }
  }

  /** When the cut carries what it must; ∞ if never. */
  private double timeOfCut() {
    Transport t = transport;
    double units = 0;
    outside = 0;
    for (int j = 0; j < t.receivers; j++) {
      if (cutReceivers[j]) {
        units -= t.spare[j];
      } else {
        outsideReceivers[outside++] = j;
      }
    }
    cutTime.begin();
    for (int i = 0; i < t.senders; i++) {
      if (cutSenders[i]) {
        units += t.need[i] - (settled[i] ? carriedBySettled(i) : 0);
        if (!settled[i]) {
          addCrossing(i);
        }
      }
    }
    if (cutTime.sum() == 0) {
      return units > 0 ? Double.POSITIVE_INFINITY : 0;
    }
    return t.whole ? cutTime.ofWhole(units) : cutTime.ofFluid(units);
  }

  private void addCrossing(int i) {
    cutTime.add(transport.hostRate[i]);
    int row = i * transport.receivers;
    for (int k = 0; k < outside; k++) {
      cutTime.add(transport.rate[row + outsideReceivers[k]]);
    }
  }

  private double carriedBySettled(int i) {
    Transport t = transport;
    double units = t.capacity(t.hostRate[i], t.time[i]);
    for (int k = 0; k < outside; k++) {
      units += t.capacity(t.rate[i * t.receivers + outsideReceivers[k]], t.time[i]);
    }
    return units;
  }

  /** Settles the senders that the cut holds to this time; whether there was one. */
  private boolean settle(double seconds) {
    boolean any = false;
    for (int i = 0; i < transport.senders; i++) {
      if (cutSenders[i] && !settled[i]) {
        cutTime.begin();
        addCrossing(i);
        if (cutTime.sum() > 0 && (!transport.whole || cutTime.isMoment(seconds))) {
          settled[i] = true;
          transport.time[i] = seconds * (1 + 10 * LEAST_SLACK);
          any = true;
        }
      }
    }
    return any;
  }

  private Certificate certificate(FlowProblem problem, double seconds) {
    return new Certificate(
        problem,
        transport.whole,
        seconds,
        chosen(cutSenders, transport.sender, seconds > 0 ? transport.senders : 0),
        chosen(cutReceivers, transport.receiver, seconds > 0 ? transport.receivers : 0),
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

  private TransferPlan write(FlowProblem problem, Certificate certificate) {
    Transport t = transport;
    plan.begin(problem, t.whole);
    for (int i = 0; i < t.senders; i++) {
      double least = t.need[i] * DUST;
      double rest = t.need[i];
      int row = i * t.receivers;
      for (int j = 0; j < t.receivers; j++) {
        double units = t.flow[row + j];
        if (units > least) {
          plan.add(t.sender[i], t.receiver[j], units, t.rate[row + j]);
          rest -= units;
        }
      }
      if (t.toHost[i] > least) {
        plan.add(t.sender[i], Transfer.HOST, t.toHost[i], t.hostRate[i]);
        rest -= t.toHost[i];
      }
      plan.round(rest);
    }
    return plan.plan(problem, certificate);
  }
}
