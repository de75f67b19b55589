package io.cairn.lab.prove;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.cairn.Digest;
import io.cairn.StoredCheckpoints;
import io.cairn.cli.LocalTree;
import io.cairn.dl4j.CairnTraining;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Scratch;
import io.cairn.training.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.NeuralNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Plants omissions and flipped bits into trainings, and has their checkpoints replayed. Not
 * thread-safe.
 *
 * <p>An omission gives a part of the state, right after the restore of the predecessor, the value
 * that it has in a process that trains afresh; so it is after a capture that forgets the part. A
 * flip changes one bit of parameters or updater state after an iteration between the two
 * checkpoints, before that iteration's capture.
 */
final class CertifyProof {
  private static final long REPLAY_SEED = 4711;
  private static final int MINIBATCHES = ProofTraining.EPOCHS * ProofData.MINIBATCHES;

  private final Scratch scratch;
  private final Random random;
  private final Runnable each;
  private final List<Planted> planted = new ArrayList<>();
  private int sound;
  private int alarms;

  /** The fate of something planted. */
  enum Fate {
    /** The replay found it. */
    CAUGHT,
    /** The checkpoint has the bytes of the undisturbed training: nothing is there to find. */
    NO_TRACE,
    /** The checkpoint was certified although its bytes are wrong. */
    MISSED
  }

  /**
   * An omission or a flip.
   *
   * @param what the part of the state, or where the bit lay
   * @param found what differed
   */
  record Planted(String what, Way way, Fate fate, String found) {
    private String kind() {
      return what.replaceAll(" after iteration \\d+|, bit \\d+", "");
    }
  }

  /** The way from one checkpoint to another, by the number of minibatches before each. */
  record Way(ProofCase one, int from, int to) {
    /** DL4J's iteration whose checkpoint follows a minibatch. */
    private long iteration(int minibatch) {
      return (long) minibatch * one.network().parts() - 1;
    }

    long start() {
      return iteration(from);
    }

    long target() {
      return iteration(to);
    }
  }

  /**
   * A proof.
   *
   * @param seed of ways, moments and bits
   * @param each called after each planted thing
   */
  CertifyProof(Scratch scratch, long seed, Runnable each) {
    this.scratch = scratch;
    this.random = new Random(seed);
    this.each = each;
  }

  /**
   * Plants every omission {@code ways} times, and {@code flips} flips into trainings of the cases
   * in turn.
   */
  void run(List<Omission> omissions, int ways, List<ProofCase> cases, int flips, BenchReport report)
      throws IOException {
    for (Omission omission : omissions) {
      omit(omission, ways);
    }
    for (int k = 0; k < cases.size(); k++) {
      int share = flips / cases.size() + (k < flips % cases.size() ? 1 : 0);
      flip(cases.get(k), share);
    }
    add(report, planted, sound, alarms);
  }

  /**
   * Adds all findings: no replay may raise a false alarm, and all that left a trace must be caught.
   *
   * @param sound replays without anything planted that were certified
   * @param alarms those that were not
   */
  static void add(BenchReport report, List<Planted> planted, int sound, int alarms) {
    Map<String, Map<Fate, Long>> kinds =
        planted.stream()
            .collect(
                groupingBy(Planted::kind, TreeMap::new, groupingBy(Planted::fate, counting())));
    FigureTable table =
        report.table("planted; without a trace: the checkpoint has the undisturbed bytes");
    kinds.forEach(
        (kind, fates) ->
            table
                .row()
                .add("planted", kind)
                .add("caught", fates.getOrDefault(Fate.CAUGHT, 0L))
                .add("without a trace", fates.getOrDefault(Fate.NO_TRACE, 0L))
                .add("missed", fates.getOrDefault(Fate.MISSED, 0L)));
    FigureTable each =
        report.data("each that was planted, by the iterations of the two checkpoints");
    for (Planted one : planted) {
      each.row()
          .add("planted", one.what())
          .add("in", one.way().one().toString())
          .add("from", one.way().start())
          .add("to", one.way().target())
          .add("fate", one.fate().toString())
          .add("found", one.found());
    }
    report.note(sound + " of " + (sound + alarms) + " sound replays certified");
    report.atMost("false alarms", alarms, 0);
    report.atMost("missed", count(planted, Fate.MISSED), 0);
    report.atLeast("caught", count(planted, Fate.CAUGHT), 1);
  }

  private static double count(List<Planted> planted, Fate fate) {
    return (double) planted.stream().filter(one -> one.fate() == fate).count();
  }

  /** In the middle of a later epoch, where every part differs from that of a new process. */
  private Way way(ProofCase one) {
    int epoch = 1 + random.nextInt(ProofTraining.EPOCHS - 1);
    int from = epoch * ProofData.MINIBATCHES + 1 + random.nextInt(ProofData.MINIBATCHES - 1);
    return new Way(one, from, from + 1 + random.nextInt(MINIBATCHES - from));
  }

  private void omit(Omission omission, int ways) throws IOException {
    Supplier<ProofData> data = new ControlTraining(omission).data();
    Supplier<ProofData> spareData = new ControlTraining(omission).otherData();
    ProofTraining training = new ProofTraining(omission.trained(), data, "omission");
    try (CairnEngine cairn = open()) {
      train(training, cairn);
      for (int k = 0; k < ways; k++) {
        Way way = way(omission.trained());
        Verdict whole = replay(training, spareData, cairn, way, restored -> {});
        count(whole);
        Verdict found = replay(training, spareData, cairn, way, omission::leaveOut);
        boolean caught = !(found instanceof Verdict.Certified);
        Fate outcome = caught ? Fate.CAUGHT : Fate.NO_TRACE;
        add("forgotten: " + omission.label(), way, outcome, found);
      }
    }
    delete();
  }

  private void count(Verdict whole) {
    if (whole instanceof Verdict.Certified) {
      sound++;
    } else {
      alarms++;
    }
  }

  private void add(String kind, Way way, Fate outcome, Verdict found) {
    String text =
        found instanceof Verdict.Refuted refuted
            ? String.join(", ", refuted.differences())
            : found instanceof Verdict.Undecided undecided ? undecided.reason() : "";
    planted.add(new Planted(kind, way, outcome, text));
    each.run();
  }

  private void flip(ProofCase one, int flips) throws IOException {
    ProofTraining training = ProofTraining.of(one);
    for (int k = 0; k < flips; k++) {
      Way way = way(one);
      SortedMap<String, Digest> right;
      try (CairnEngine cairn = open()) {
        train(training, cairn);
        Verdict whole = replay(training, training.data(), cairn, way, restored -> {});
        count(whole);
        if (!(whole instanceof Verdict.Certified certified)) {
          continue;
        }
        right = certified.certificate().regions();
      }
      delete();
      int struck = way.from() + 1 + random.nextInt(way.to() - way.from());
      Flip flip = new Flip(way.iteration(struck), random.nextBoolean(), random.nextLong());
      try (CairnEngine cairn = open()) {
        train(training, cairn, flip);
        Verdict found = replay(training, training.data(), cairn, way, restored -> {});
        Fate outcome =
            !(found instanceof Verdict.Certified certified)
                ? Fate.CAUGHT
                : certified.certificate().regions().equals(right) ? Fate.NO_TRACE : Fate.MISSED;
        add(flip.describe(), way, outcome, found);
      }
      delete();
    }
  }

  /** Flips one bit, after an iteration and before its capture. */
  private static final class Flip extends BaseTrainingListener {
    private final long at;
    private final boolean ofUpdater;
    private final long seed;
    private String struck = "nothing";

    Flip(long at, boolean ofUpdater, long seed) {
      this.at = at;
      this.ofUpdater = ofUpdater;
      this.seed = seed;
    }

    @Override
    public void iterationDone(Model model, int iteration, int epoch) {
      if (iteration == at) {
        Random random = new Random(seed);
        INDArray updater = ((NeuralNetwork) model).updaterState();
        boolean updaterToo = ofUpdater && updater != null && !updater.isEmpty();
        INDArray memory = updaterToo ? updater : model.params();
        long index = random.nextInt((int) memory.length());
        int bit = random.nextInt(Float.SIZE);
        int bits = Float.floatToRawIntBits(memory.getFloat(index));
        memory.putScalar(index, Float.intBitsToFloat(bits ^ (1 << bit)));
        struck = (updaterToo ? "updater state" : "parameters") + ", bit " + bit;
      }
    }

    String describe() {
      return String.format(Locale.ROOT, "flipped after iteration %d: %s", at, struck);
    }
  }

  private static void train(ProofTraining training, CairnEngine cairn, TrainingListener... more) {
    Model model = training.model();
    List<TrainingListener> listeners = new ArrayList<>(List.of(more));
    listeners.add(0, training.slowingDown());
    ProofTraining.listen(model, listeners.toArray(TrainingListener[]::new));
    try (CairnTraining run =
        ProofNetwork.resume(model, training.data().get(), cairn.join(training.group()))) {
      run.fit(ProofTraining.EPOCHS);
    }
  }

  /** Replays a way in what could be another process. */
  private static Verdict replay(
      ProofTraining training,
      Supplier<ProofData> spareData,
      CairnEngine cairn,
      Way way,
      Consumer<Omission.Restored> afterRestore) {
    StoredCheckpoints stored =
        new TwoCheckpoints(cairn.stored(training.group()), way.start(), way.target());
    Nd4j.getRandom().setSeed(REPLAY_SEED);
    return CairnTraining.certifier(
            stored,
            spare -> {
              Model model = training.model();
              ProofTraining.listen(model, training.slowingDown());
              ProofData data = spareData.get();
              CairnTraining resumed = ProofNetwork.resume(model, data, spare);
              afterRestore.accept(
                  new Omission.Restored(training.one(), model, training.model(), data));
              return resumed;
            },
            ProofTraining.EPOCHS)
        .certify(stored.checkpoints().get(0).id());
  }

  private Path directory() {
    return scratch.inMemory("certify");
  }

  /** STORE receives every minibatch. */
  private CairnEngine open() throws IOException {
    Path directory = Files.createDirectories(directory());
    return CairnEngine.open(
        CairnConfig.of(
            Map.of(
                "store", directory.resolve("store").toString(),
                "node.dir", directory.resolve("node").toString(),
                "device.dir", directory.resolve("device").toString(),
                "device.cacheSize", "16m",
                "chunkSize", "4k",
                "keep", "100",
                "cadence", "fixed",
                "node.every", "1",
                "store.every", "1")));
  }

  private void delete() throws IOException {
    LocalTree.delete(directory());
  }
}
