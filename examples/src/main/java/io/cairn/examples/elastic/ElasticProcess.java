package io.cairn.examples.elastic;

import io.cairn.Cairn;
import io.cairn.core.peer.PeerAddress;
import io.cairn.dl4j.ModelDigest;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;

/**
 * One executor of the training, in a process that may be killed. Rank 0 prints the checkpoint from
 * which it resumed, each step, and the digest at the end.
 */
final class ElasticProcess {
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private ElasticProcess() {}

  /**
   * The arguments are a directory, rank, ranks, the ports of coordinator and exchange, virtual
   * ranks and steps.
   */
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    int rank = Integer.parseInt(arguments[1]);
    int ranks = Integer.parseInt(arguments[2]);
    PeerAddress hub = new PeerAddress("127.0.0.1", Integer.parseInt(arguments[4]));
    ElasticTraining training =
        new ElasticTraining(Integer.parseInt(arguments[5]), Integer.parseInt(arguments[6]));
    MultiLayerNetwork model = training.network();
    if (rank == 0) {
      model.setListeners(saying());
    }
    try (Cairn cairn = Cairn.open(config(root, rank, arguments[3]));
        RankExchange exchange = exchange(hub, rank, ranks);
        VirtualRanks run =
            VirtualRanks.resume(
                model,
                training.data(),
                training.virtualRanks(),
                exchange,
                cairn.join("elastic", rank, ranks))) {
      if (rank == 0) {
        say("from " + run.completed());
      }
      run.fit(training.steps());
      if (rank == 0) {
        say("digest " + ModelDigest.of(model));
      }
    }
  }

  private static Map<String, String> config(Path root, int rank, String coordinator) {
    return Map.of(
        "job", "elastic",
        "store", root.resolve("store").toString(),
        "node.dir", root.resolve("node").toString(),
        "device.dir", root.resolve("device-" + rank).toString(),
        "device.cacheSize", "16m",
        "chunkSize", "64k",
        "node.every", "1",
        "store.every", "2",
        "closeTimeout", "3s",
        "coordinator", "127.0.0.1:" + coordinator);
  }

  private static RankExchange exchange(PeerAddress hub, int rank, int ranks) throws IOException {
    return rank == 0
        ? PeerExchange.host(hub.host(), hub.port(), ranks, PATIENCE)
        : PeerExchange.join(hub, rank, ranks, PATIENCE);
  }

  private static BaseTrainingListener saying() {
    return new BaseTrainingListener() {
      @Override
      public void iterationDone(Model trained, int iteration, int epoch) {
        say("step " + iteration);
      }
    };
  }

  /** In one write, so that a kill cannot tear a line. */
  private static void say(String line) {
    try {
      OUT.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
