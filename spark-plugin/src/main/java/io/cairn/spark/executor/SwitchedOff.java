package io.cairn.spark.executor;

import io.cairn.core.threads.Advice;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.runtime.ProcessInstance;
import io.cairn.spark.ranks.StandbyTasks;
import org.apache.spark.api.plugin.ExecutorPlugin;

/**
 * The plugin of an executor in which an error, such as a class that does not fit, leaves nothing to
 * work with. Tasks that use Cairn receive the reason; all others run as without the plugin.
 */
public final class SwitchedOff implements ExecutorPlugin {
  private SwitchedOff() {}

  /** Switches Cairn off in this executor, with one line in its log. */
  public static ExecutorPlugin by(Error error) {
    var unused = reason(error);
    return new SwitchedOff();
  }

  /** Likewise; the reason is what tasks that use Cairn receive from now on. */
  static IllegalStateException reason(Error error) {
    DaemonThreads.report("The plugin", error);
    String why = "Cairn is off in this executor: " + error + ". " + Advice.on(error);
    try {
      ProcessInstance.openOnDemand(
          () -> {
            throw reason(why, error);
          });
      StandbyTasks.switchOff(why);
    } catch (LinkageError e) { // a task that uses such a class meets this error itself
      DaemonThreads.report("The plugin's end", e);
    }
    return reason(why, error);
  }

  /**
   * Spark ends the executor of a task whose failure has any error but this kind among its causes.
   */
  private static IllegalStateException reason(String why, Error error) {
    return error instanceof LinkageError
        ? new IllegalStateException(why, error)
        : new IllegalStateException(why);
  }
}
