package io.cairn.spark;

import java.io.Serializable;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkEnv;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** Two ranks of a coupled group on two executors, which each attempt of the stage swaps. */
final class SwappingTraining extends AbstractFunction1<Iterator<Integer>, Iterator<String>>
    implements Serializable {
  private static final long serialVersionUID = 1;

  private final String directory;
  private final String group;
  private final int iterations;
  private final int stepMillis;

  SwappingTraining(String directory, String group, int iterations, int stepMillis) {
    this.directory = directory;
    this.group = group;
    this.iterations = iterations;
    this.stepMillis = stepMillis;
  }

  @Override
  public Iterator<String> apply(Iterator<Integer> nothing) {
    int executor = Integer.parseInt(SparkEnv.get().executorId());
    int rank = (executor + BarrierTaskContext.get().stageAttemptNumber()) % 2;
    String digest = new ToyRank(directory, group, rank, 2, iterations, stepMillis).train();
    return scala.collection.Iterator$.MODULE$.single(rank + " " + digest);
  }
}
