package io.cairn.lab.bench.small;

import io.cairn.Cairn;
import io.cairn.dl4j.CairnListener;
import io.cairn.lab.bench.listener.WideNetwork;
import io.cairn.lab.measure.Scratch;
import io.cairn.lab.measure.SettledTickets;
import java.io.IOException;
import java.util.List;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.dataset.DataSet;

/** A network whose parameters and updater state are less than a megabyte. */
final class SmallNetwork implements SmallTraining {
  private static final List<Integer> WIDTHS = List.of(256, 256, 48, 10);

  private final Cairn cairn;
  private final SettledTickets checkpointer;
  private final CairnListener listener;
  private final MultiLayerNetwork model = WideNetwork.create(WIDTHS);
  private final DataSet minibatch;

  /** Joins; a larger batch takes longer. */
  SmallNetwork(Mode mode, Scratch scratch, int batch) throws IOException {
    minibatch = WideNetwork.minibatch(WIDTHS, batch);
    cairn = mode.open(scratch);
    checkpointer = new SettledTickets(cairn.join("network"), mode.beside());
    listener = new CairnListener(checkpointer);
    listener.restore(model);
  }

  @Override
  public void bare(int iterations) {
    model.setListeners();
    fit(iterations);
  }

  @Override
  public void checkpointed(int iterations) {
    model.setListeners(listener);
    fit(iterations);
    listener.awaitCaptured();
  }

  private void fit(int iterations) {
    for (int k = 0; k < iterations; k++) {
      model.fit(minibatch);
    }
  }

  @Override
  public void settle() {
    checkpointer.await();
  }

  @Override
  public long captured() {
    return listener.statistics().captured();
  }

  @Override
  public long stored() {
    return checkpointer.stored();
  }

  @Override
  public long bytes() {
    return WideNetwork.stateBytes(model);
  }

  @Override
  public void close() {
    checkpointer.close();
    cairn.close();
  }
}
