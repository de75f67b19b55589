package io.cairn.lab.soak;

import java.io.Serializable;
import org.apache.spark.BarrierTaskContext;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** A coupled group's rank as a barrier task: its rank is its partition. */
final class SoakBarrier extends AbstractFunction1<Iterator<Integer>, Iterator<Integer>>
    implements Serializable {
  private static final long serialVersionUID = 1;

  private final String directory;
  private final SoakGroup group;

  SoakBarrier(String directory, SoakGroup group) {
    this.directory = directory;
    this.group = group;
  }

  @Override
  public Iterator<Integer> apply(Iterator<Integer> nothing) {
    int rank = BarrierTaskContext.get().partitionId();
    try {
      new SoakRank(directory, group, rank).train();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the task was interrupted", e);
    }
    return scala.collection.Iterator$.MODULE$.single(rank);
  }
}
