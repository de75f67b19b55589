package io.cairn.examples.elastic;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Layout;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.dl4j.ModelDigest;
import io.cairn.dl4j.SavedTraining;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.nativeblas.NativeOpsHolder;

/**
 * A data-parallel training whose result does not depend on the number of executors. It has a fixed
 * number of <em>virtual ranks</em>, each with minibatches and random numbers of its own. Any number
 * of executors, the ranks of a coupled group, divides the virtual ranks among itself.
 *
 * <h2>A step</h2>
 *
 * <p>Each rank computes the gradients of its virtual ranks, one after the other. The ranks exchange
 * all of them, and each adds them up in the order of the virtual ranks. Then DL4J's updater updates
 * the model on every rank, from the same sum. So all ranks have the same bits, and so has a group
 * of another size that resumes.
 *
 * <p>Statistics of batch normalisation are updated by the mean of the virtual ranks' updates; each
 * virtual rank normalises its own minibatch. ND4J's generator is seeded anew for each virtual rank
 * and step, from the network's seed and both numbers.
 *
 * <h2>Checkpoints</h2>
 *
 * <p>After each step every rank checkpoints an equal share of parameters and updater state, and the
 * counters. A restore reads the shares, which the ranks then exchange. Bits are equal for equal
 * CPUs and numbers of OpenMP threads. Ranks with different numbers are refused.
 *
 * <h2>Cost</h2>
 *
 * <p>With V virtual ranks on n ranks and P parameters a rank receives V · P numbers per step. A
 * training that gives up equal bits exchanges one sum per rank, so n · P. Memory: one copy of the
 * gradients, and n blocks of {@link RankExchange#MOST_BLOCK_BYTES}.
 *
 * <p>The model's listeners receive {@code iterationDone} once per step, and the passes of each
 * virtual rank. DL4J's epoch counter stays: schedules should follow the iteration. A learning rate
 * that the program changes is not kept. Arrays lie in host memory. Not thread-safe.
 */
final class VirtualRanks implements AutoCloseable {
  private final MultiLayerNetwork model;
  private final VirtualData data;
  private final int count;
  private final RankExchange exchange;
  private final Checkpointer checkpointer;
  private final StatePart part;
  private final GradientSum sum;
  private final Optional<RestoreReport> restored;
  private final AtomicInteger failed = new AtomicInteger();

  private VirtualRanks(
      MultiLayerNetwork model,
      VirtualData data,
      int count,
      RankExchange exchange,
      Checkpointer checkpointer)
      throws IOException {
    requireRanks(count, exchange, checkpointer);
    if (model.getLayerWiseConfigurations().getBackpropType() == BackpropType.TruncatedBPTT) {
      throw new IllegalArgumentException(
          "truncated backpropagation through time carries activations from part to part, for which"
              + " a virtual rank has no place; use standard backpropagation");
    }
    requireHostMemory(Nd4j.getBackend().getClass().getSimpleName());
    model.init();
    this.model = model;
    this.data = data;
    this.count = count;
    this.exchange = exchange;
    this.checkpointer = checkpointer;
    this.part = new StatePart(exchange.rank(), exchange.ranks());
    this.sum = new GradientSum(model.params(), exchange);
    protect();
    requireAlike();
    this.restored = checkpointer.restore();
    if (restored.isPresent()) {
      part.complete(model.params(), exchange);
      part.complete(updaterState(), exchange);
      requireAlike();
    }
  }

  /**
   * Takes over a rank: protects its share of the model, and restores the newest checkpoint, which
   * may be of another number of ranks. Waits for all ranks. All build the same model and data.
   *
   * @param model whose updater has state; initialised or not
   * @param virtualRanks the same at every start, at least the number of ranks
   * @param exchange with the other ranks; stays open
   * @param checkpointer of the same rank in a group of as many; closed by {@link #close}, or at
   *     once if this method throws
   * @throws IOException if the exchange fails
   * @throws RestoreException if checkpoints exist and none fits; the model may be changed then
   * @throws IllegalArgumentException if the numbers contradict each other, or the network cannot be
   *     trained so; the message names the reason
   * @throws IllegalStateException if the ranks' models or numbers of OpenMP threads differ
   */
  static VirtualRanks resume(
      MultiLayerNetwork model,
      VirtualData data,
      int virtualRanks,
      RankExchange exchange,
      Checkpointer checkpointer)
      throws IOException {
    try {
      return new VirtualRanks(model, data, virtualRanks, exchange, checkpointer);
    } catch (IOException | RuntimeException e) {
      try {
        checkpointer.close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /**
   * Checks that arrays of a backend lie in host memory.
   *
   * @param backend the simple name of its class
   */
  static void requireHostMemory(String backend) {
    if (!backend.equals("CpuBackend")) {
      throw new IllegalArgumentException(
          "shares and gradients pass through host memory, and the arrays of "
              + backend
              + " may not lie there; use nd4j-native");
    }
  }

  private static void requireRanks(int count, RankExchange exchange, Checkpointer checkpointer) {
    boolean same =
        checkpointer.member().rank() == exchange.rank()
            && checkpointer.member().size() == exchange.ranks();
    if (!same || count < exchange.ranks()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s, rank %d of %d in the exchange, %d virtual ranks: %s",
              checkpointer.member(),
              exchange.rank(),
              exchange.ranks(),
              count,
              same
                  ? "each rank needs at least one virtual rank, so use fewer executors"
                  : "join group and exchange with the same rank and number of ranks"));
    }
  }

  /** State that all ranks have alike is split over them, or replicated. */
  private void protect() {
    protect("parameters", model.params());
    protect("updater-state", updaterState());
    checkpointer.protect(
        Region.of("counters", this::counters, this::setCounters),
        RegionOptions.DEFAULT.withLayout(Layout.replicated()));
    SavedTraining network = new SavedTraining(model, Optional.empty());
    checkpointer.describe("network", network.configurationDigest());
    checkpointer.describe("virtual-ranks", Integer.toString(count));
    checkpointer.describe("data", firstMinibatch());
  }

  private void protect(String name, INDArray array) {
    checkpointer.protect(
        part.region(name, array), RegionOptions.DEFAULT.withLayout(part.layout(array.length())));
  }

  private INDArray updaterState() {
    INDArray state = model.getUpdater().getStateViewArray();
    if (state == null) {
      throw new IllegalArgumentException(
          "the updater has no state to divide; use one with state, such as Adam or Nesterovs");
    }
    return state;
  }

  private byte[] counters() {
    return ByteBuffer.allocate(2 * Integer.BYTES)
        .putInt(model.getIterationCount())
        .putInt(model.getEpochCount())
        .array();
  }

  private void setCounters(byte[] saved) {
    ByteBuffer in = ByteBuffer.wrap(saved);
    model.setIterationCount(in.getInt());
    model.setEpochCount(in.getInt());
  }

  /** Of virtual rank 0, since every rank must describe the same data. */
  private String firstMinibatch() {
    seedGenerator(0, 0);
    DataSet first = data.minibatch(0, 0);
    return String.format(
        Locale.ROOT,
        "features %s, labels %s",
        Arrays.toString(first.getFeatures().shape()),
        Arrays.toString(first.getLabels().shape()));
  }

  /** All ranks must hold the same bits, since each saves only its share of them. */
  private void requireAlike() throws IOException {
    String own =
        String.format(
            Locale.ROOT,
            "%s, step %d, %d OpenMP threads",
            ModelDigest.of(model),
            completed(),
            NativeOpsHolder.getInstance().getDeviceNativeOps().ompGetMaxThreads());
    List<ByteBuffer> all =
        exchange.allGather(ByteBuffer.wrap(own.getBytes(StandardCharsets.UTF_8)));
    for (int rank = 0; rank < all.size(); rank++) {
      String other = StandardCharsets.UTF_8.decode(all.get(rank)).toString();
      if (!other.equals(own)) {
        throw new IllegalStateException(
            String.format(
                Locale.ROOT,
                ("the model of rank %d is %s, and that of rank %d is %s: build the same network"
                    + " with the same seed everywhere, and use equal CPUs and OMP_NUM_THREADS"),
                exchange.rank(),
                own,
                rank,
                other));
      }
    }
  }

  /**
   * Trains until {@code steps} steps are complete in all, those of earlier attempts included. A
   * failed checkpoint does not end the training. The last step goes to every level. All ranks then
   * compare the digests of their models.
   *
   * @throws IOException if the exchange fails, such as after the death of a rank. The model is then
   *     of no use: close this training, and resume on the executors that are left
   * @throws IllegalStateException if the ranks' models differ at the end
   */
  void fit(long steps) throws IOException {
    if (completed() == steps && restored.isPresent()) {
      end(); // restored from the end: STORE may lack it
    }
    try {
      while (completed() < steps) {
        step();
        if (completed() == steps) {
          end();
        } else {
          count(checkpointer.checkpointBeside(completed() - 1));
        }
      }
    } finally {
      checkpointer.awaitCaptured();
    }
    requireAlike();
  }

  private void end() {
    CheckpointTicket ticket = checkpointer.end(completed() - 1);
    Outcome unused = ticket.captured().join(); // until then nobody may write the model
    count(ticket);
  }

  private void count(CheckpointTicket ticket) {
    var unused =
        ticket
            .captured()
            .thenAccept(outcome -> failed.addAndGet(outcome instanceof Outcome.Failed ? 1 : 0));
  }

  /** Steps that are complete, those of earlier attempts included. */
  long completed() {
    return model.getIterationCount();
  }

  /** The mean loss of the virtual ranks' minibatches at the last step; NaN before the first. */
  double score() {
    return sum.score();
  }

  /** Checkpoints that could not be captured. */
  int failed() {
    return failed.get();
  }

  private void step() throws IOException {
    sum.clear();
    for (int first = 0; first < count; first += exchange.ranks()) {
      int own = first + exchange.rank();
      int examples = own < count ? computeGradients(own) : 0;
      sum.add(gradients(), examples, model.score(), Math.min(exchange.ranks(), count - first));
    }
    checkpointer.awaitCaptured();
    sum.copyInto(gradients());
    divideStatistics();
    int iteration = model.getIterationCount();
    int epoch = model.getEpochCount();
    model
        .getUpdater()
        .update(
            model,
            model.gradient(),
            iteration,
            epoch,
            sum.examples(),
            LayerWorkspaceMgr.noWorkspaces());
    model.params().subi(gradients().reshape(model.params().shape()));
    for (TrainingListener listener : model.getListeners()) {
      listener.iterationDone(model, iteration, epoch);
    }
    model.setIterationCount(iteration + 1);
    model.applyConstraints(iteration + 1, epoch);
  }

  private INDArray gradients() {
    return model.getGradientsViewArray();
  }

  private int computeGradients(int virtualRank) {
    seedGenerator(virtualRank, completed());
    DataSet minibatch = data.minibatch(virtualRank, completed());
    model.setInput(minibatch.getFeatures());
    model.setLabels(minibatch.getLabels());
    model.setLayerMaskArrays(minibatch.getFeaturesMaskArray(), minibatch.getLabelsMaskArray());
    model.computeGradientAndScore();
    model.clearLayerMaskArrays();
    model.clearLayersStates();
    return minibatch.numExamples();
  }

  /** Some gradients are no sums over examples, such as the step of a running mean. */
  private void divideStatistics() {
    Map<String, INDArray> gradients = model.gradient().gradientForVariable();
    for (Layer layer : model.getLayers()) {
      for (String parameter : layer.paramTable(false).keySet()) {
        INDArray gradient = gradients.get(layer.getIndex() + "_" + parameter);
        if (gradient != null && !layer.updaterDivideByMinibatch(parameter)) {
          gradient.divi(count);
        }
      }
    }
  }

  private void seedGenerator(int virtualRank, long step) {
    Nd4j.getRandom().setSeed(seed(model, virtualRank, step));
  }

  /** Mixes the three numbers, so that no two virtual ranks or steps share a sequence. */
  static long seed(MultiLayerNetwork model, int virtualRank, long step) {
    long seed = model.getLayer(0).conf().getSeed();
    return mix(mix(mix(seed) + virtualRank) + step);
  }

  /** The finalizer of SplitMix64 (Steele, Lea and Flood, 2014), after one step of its sequence. */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Waits, within the engine's limits, until the last checkpoints have reached their levels. */
  @Override
  public void close() {
    checkpointer.close();
  }
}
