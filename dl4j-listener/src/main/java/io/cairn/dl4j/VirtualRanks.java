package io.cairn.dl4j;

import io.cairn.Checkpointer;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.dl4j.TrainingState.IteratorPosition;
import io.cairn.dl4j.TrainingState.ModelParts;
import io.cairn.dl4j.TrainingState.RandomState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * A data-parallel training whose result does not depend on the number of executors. It has a fixed
 * number of <em>virtual ranks</em>, each with minibatches and random numbers of its own. Any number
 * of executors, the ranks of a coupled group, divides the virtual ranks among itself:
 *
 * <pre>{@code
 * try (RankExchange exchange = SocketExchange.join(hub, rank, ranks, secret, patience);
 *     var run = VirtualRanks.resume(model, data, 12, exchange, cairn.join("digits", rank, ranks))) {
 *   run.fit(600);
 * }
 * }</pre>
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
 * small rest. A restore reads the shares, which the ranks then exchange. Bits are equal for equal
 * CPUs and numbers of OpenMP threads. Ranks with different numbers are refused.
 *
 * <h2>Cost</h2>
 *
 * <p>With V virtual ranks on n ranks and P parameters a rank receives V · P numbers per step. A
 * training that gives up equal bits exchanges one sum per rank, so n · P. Memory: one copy of the
 * gradients, and n blocks of {@link RankExchange#MOST_BLOCK_BYTES}.
 *
 * <p>The model's listeners receive {@code iterationDone} once per step, and the passes of each
 * virtual rank. DL4J's epoch counter stays: schedules should follow the iteration. Not thread-safe.
 */
public final class VirtualRanks implements AutoCloseable {
  private static final String COUNT = "virtual-ranks";
  private static final String DATA = "data";

  private final TrainedModel model;
  private final VirtualData data;
  private final int count;
  private final RankExchange exchange;
  private final Checkpointer checkpointer;
  private final StatePart part;
  private final ModelRegions regions;
  private final ModelCaptures captures;
  private final GradientSum sum;
  private final Optional<RestoreReport> restored;

  private VirtualRanks(
      Model network, VirtualData data, int count, RankExchange exchange, Checkpointer checkpointer)
      throws IOException {
    requireRanks(count, exchange, checkpointer);
    TrainedMemory.requireHost("virtual ranks, whose shares and gradients pass through host memory");
    this.model = TrainedModel.of(network);
    this.data = data;
    this.count = count;
    this.exchange = exchange;
    this.checkpointer = checkpointer;
    this.part = new StatePart(exchange.rank(), exchange.ranks());
    VirtualNetworks.require(model);
    this.regions = new ModelRegions(model, Optional.of(part), checkpointer, state -> {});
    this.captures = new ModelCaptures(checkpointer, System::nanoTime);
    this.sum = new GradientSum(model.parameters(), exchange);
    checkpointer.describe(COUNT, Integer.toString(count));
    checkpointer.describe(DATA, firstMinibatch());
    requireAlike();
    this.restored = regions.restore(checkpointer::restore);
    if (restored.isPresent()) {
      completeState();
      requireAlike();
    }
  }

  /**
   * Takes over a rank: protects its share of the model, and restores the newest checkpoint, which
   * may be of another number of ranks. Waits for all ranks. All build the same model and data.
   *
   * @param model a {@code MultiLayerNetwork}, or a {@code ComputationGraph} with one input and one
   *     output; initialised or not
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
  public static VirtualRanks resume(
      Model model,
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

  /** Of virtual rank 0, since every rank must describe the same data. */
  private String firstMinibatch() {
    ThreadGenerator.seed(seed(0, 0));
    var first = data.minibatch(0, 0);
    return DataDescription.of(
        new INDArray[] {first.getFeatures()}, new INDArray[] {first.getLabels()}, null);
  }

  private void completeState() throws IOException {
    part.complete(model.parameters(), exchange);
    INDArray state = model.updaterState();
    if (state != null) {
      part.complete(state, exchange);
    }
  }

  /** All ranks must hold the same bits, since each saves only its share of them. */
  private void requireAlike() throws IOException {
    String own =
        String.format(
            Locale.ROOT,
            "%s, step %d, %d OpenMP threads",
            ModelDigest.of(model.model()),
            completed(),
            regions.openMpThreads());
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
  public void fit(long steps) throws IOException {
    if (completed() == steps && restored.isPresent()) {
      captures.end(regions, state()); // restored from the end: STORE may lack it
    }
    try {
      while (completed() < steps) {
        step();
        if (completed() == steps) {
          captures.end(regions, state());
        } else {
          captures.capture(regions, state());
        }
      }
    } finally {
      captures.awaitCaptured();
    }
    requireAlike();
  }

  /** Steps that are complete, those of earlier attempts included. */
  public long completed() {
    return model.iterations();
  }

  /** The report of the restore; empty if there was no checkpoint. */
  public Optional<RestoreReport> restored() {
    return restored;
  }

  /** The mean loss of the virtual ranks' minibatches at the last step; NaN before the first. */
  public double score() {
    return sum.score();
  }

  /** Outcomes of the checkpoints so far. */
  public CaptureStatistics statistics() {
    return captures.statistics();
  }

  private void step() throws IOException {
    sum.clear();
    for (int first = 0; first < count; first += exchange.ranks()) {
      int own = first + exchange.rank();
      int examples = own < count ? computeGradients(own) : 0;
      sum.add(
          gradients(), examples, model.model().score(), Math.min(exchange.ranks(), count - first));
    }
    captures.beforeUpdate();
    sum.copyInto(gradients());
    model.statistics().forEach(gradient -> gradient.divi(count));
    model.update(sum.examples());
    model.parameters().subi(gradients().reshape(model.parameters().shape()));
    for (TrainingListener listener : model.listeners()) {
      listener.iterationDone(model.model(), model.iterations(), model.epochs());
    }
    model.setCounters(model.iterations() + 1, model.epochs());
    model.model().applyConstraints(model.iterations(), model.epochs());
  }

  private INDArray gradients() {
    return model.model().getGradientsViewArray();
  }

  private int computeGradients(int virtualRank) {
    ThreadGenerator.seed(seed(virtualRank, completed()));
    var minibatch = data.minibatch(virtualRank, completed());
    model.computeGradients(minibatch);
    return minibatch.numExamples();
  }

  /** Mixes the three numbers, so that no two virtual ranks or steps share a sequence. */
  private long seed(int virtualRank, long step) {
    return mix(mix(mix(model.layers()[0].conf().getSeed()) + virtualRank) + step);
  }

  /** The finalizer of SplitMix64 (Steele, Lea and Flood, 2014), after one step of its sequence. */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** The same on every rank; the generator has no state between two steps. */
  private TrainingState state() {
    return new TrainingState(
        false,
        model.iterations() - 1,
        model.epochs(),
        0,
        IteratorPosition.UNKNOWN,
        new RandomState(1, 1, false, 0),
        regions.openMpThreads(),
        ModelParts.NONE,
        Bytes.NONE);
  }

  /** Waits, within the engine's limits, until the last checkpoints have reached their levels. */
  @Override
  public void close() {
    checkpointer.close();
    captures.summarize();
  }
}
