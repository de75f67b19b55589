package io.cairn.lab.prove;

import java.util.function.Function;
import org.nd4j.linalg.learning.config.AMSGrad;
import org.nd4j.linalg.learning.config.AdaGrad;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.RmsProp;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.schedule.ExponentialSchedule;
import org.nd4j.linalg.schedule.ISchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** Updaters, with learning rates that fall from epoch to epoch or from iteration to iteration. */
enum ProofUpdater {
  SGD(Sgd::new, ScheduleType.ITERATION),
  NESTEROVS(Nesterovs::new, ScheduleType.EPOCH),
  ADAM(Adam::new, ScheduleType.ITERATION),
  AMSGRAD(AMSGrad::new, ScheduleType.EPOCH),
  RMSPROP(RmsProp::new, ScheduleType.ITERATION),

  /** At one rate, since DL4J's builders drop this updater's schedule. */
  ADAGRAD(schedule -> new AdaGrad(schedule.valueAt(0, 0)), ScheduleType.EPOCH);

  private static final double FIRST_RATE = 0.03;
  private static final double FACTOR = 0.9;

  @SuppressWarnings("ImmutableEnumChecker") // a method reference or a lambda without state
  private final Function<ISchedule, IUpdater> made;

  private final ScheduleType falls;

  ProofUpdater(Function<ISchedule, IUpdater> made, ScheduleType falls) {
    this.made = made;
    this.falls = falls;
  }

  /** A new one, since DL4J changes updaters in place. */
  IUpdater create() {
    return made.apply(schedule());
  }

  /** The learning rates that a training begins with. */
  ISchedule schedule() {
    return new ExponentialSchedule(falls, FIRST_RATE, FACTOR);
  }
}
