package io.cairn.spark;

import java.io.Serializable;
import org.apache.spark.BarrierTaskContext;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** A rank of a coupled group as a barrier task: its rank is its partition. */
final class BarrierTraining extends AbstractFunction1<Iterator<Integer>, Iterator<String>>
    implements Serializable {
  private static final long serialVersionUID = 1;

  private final String directory;
  private final String group;
  private final int size;
  private final int iterations;
  private final int stepMillis;

  BarrierTraining(String directory, String group, int size, int iterations, int stepMillis) {
    this.directory = directory;
    this.group = group;
    this.size = size;
    this.iterations = iterations;
    this.stepMillis = stepMillis;
  }

  @Override
  public Iterator<String> apply(Iterator<Integer> nothing) {
    int rank = BarrierTaskContext.get().partitionId();
    String digest = new ToyRank(directory, group, rank, size, iterations, stepMillis).train();
    return scala.collection.Iterator$.MODULE$.single(rank + " " + digest);
  }
}
