package io.cairn.dl4j;

import io.cairn.Cairn;
import io.cairn.dl4j.cuda.FakeNatives;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;

/**
 * Trainings on ND4J's backend for CUDA without a GPU; and a process that trains until it is killed.
 */
public final class CudaTrainings {
  static final int EPOCHS = 2;
  static final String WAITS = "waits";
  static final String DIGEST = "digest ";

  private CudaTrainings() {}

  /** Cairn over directories below one, with all levels. */
  static Cairn open(Path directory, String kind) throws IOException {
    System.setProperty("cairn.device.cudaLibrary", FakeNatives.library());
    Map<String, String> settings = new HashMap<>();
    settings.put("store", directory.resolve("store").toString());
    settings.put("node.dir", directory.resolve("node").toString());
    settings.put("device.dir", directory.resolve("device").toString());
    settings.put("device.kind", kind);
    settings.put("device.cacheSize", "1m");
    settings.put("chunkSize", "4k");
    settings.put("cadence", "fixed");
    settings.put("node.every", "1");
    settings.put("store.every", "4");
    return Cairn.open(settings);
  }

  /** Trains layers to the end, or until a listener throws, and returns the digest. */
  static String layers(Cairn cairn, BaseTrainingListener listener) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(listener);
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), cairn.join("layers"))) {
      run.fit(EPOCHS);
    }
    return ModelDigest.of(model).toString();
  }

  /** Trains a graph of two inputs likewise. */
  static String graph(Cairn cairn, BaseTrainingListener listener) {
    ComputationGraph model = TestNets.graph();
    model.init();
    model.setListeners(listener);
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.twoInputs(), cairn.join("graph"))) {
      run.fit(EPOCHS);
    }
    return ModelDigest.of(model).toString();
  }

  /** Arguments: a directory, the kind of device, and the iteration at which it waits, or -1. */
  public static void main(String[] arguments) throws IOException {
    int deadly = Integer.parseInt(arguments[2]);
    BaseTrainingListener waiting =
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int iteration, int epoch) {
            if (iteration == deadly) {
              System.out.println(WAITS);
              while (true) {
                LockSupport.park();
              }
            }
          }
        };
    try (Cairn cairn = open(Path.of(arguments[0]), arguments[1])) {
      System.out.println(DIGEST + layers(cairn, waiting));
    }
  }
}
