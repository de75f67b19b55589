package io.cairn.lab.toy;

import java.io.Serializable;
import java.nio.file.Path;
import org.apache.spark.BarrierTaskContext;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** A rank as a barrier task: its rank is its partition. */
final class ToyBarrier extends AbstractFunction1<Iterator<Integer>, Iterator<String>>
    implements Serializable {
  private static final long serialVersionUID = 1;

  private final String directory;
  private final int ranks;
  private final long iterations;

  ToyBarrier(String directory, int ranks, long iterations) {
    this.directory = directory;
    this.ranks = ranks;
    this.iterations = iterations;
  }

  @Override
  public Iterator<String> apply(Iterator<Integer> nothing) {
    int rank = BarrierTaskContext.get().partitionId();
    String digest = new ToyRank(Path.of(directory), rank, ranks).train(iterations);
    return scala.collection.Iterator$.MODULE$.single(rank + " " + digest);
  }
}
