package io.cairn.engine.runtime;

import io.cairn.engine.config.CairnConfig;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The instance of this process, and how it is opened when none is installed. Thread-safe. */
final class ProcessInstance {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessInstance.class);

  /** Opens with the defaults, which are those of a process without Spark. */
  static final CairnEngine.Opening DEFAULTS = ProcessInstance::openDefaults;

  private static @Nullable CairnEngine installed;

  /** The instance that {@link #get} opened. */
  private static @Nullable CairnEngine opened;

  private static CairnEngine.Opening opening = DEFAULTS;

  private ProcessInstance() {}

  static synchronized CairnEngine get() {
    CairnEngine cairn = installed;
    if (cairn == null) {
      try {
        cairn = opening.open();
      } catch (IOException | IllegalArgumentException e) {
        throw new IllegalStateException("Cairn cannot start here: " + e.getMessage(), e);
      }
      installed = cairn;
      opened = cairn;
    }
    return cairn;
  }

  static synchronized void install(CairnEngine cairn) {
    installed = cairn;
  }

  static synchronized void remove(CairnEngine cairn) {
    if (installed == cairn) {
      installed = null;
    }
    if (opened == cairn) {
      opened = null;
    }
  }

  /** From now on, {@link #get} opens so; an instance that it opened otherwise is not returned. */
  static synchronized void openBy(CairnEngine.Opening next) {
    opening = next;
    if (opened != null && installed == opened) {
      LOG.warn(
          "Ranks that joined before use job {} and store {}; later ones use the application's",
          opened.config().job(),
          opened.config().store());
      installed = null;
    }
  }

  /**
   * A process of Spark without the plugin has no settings: the defaults would be a store in the
   * home directory of each machine, and another job's name.
   */
  private static CairnEngine openDefaults() throws IOException {
    if (SparkProcess.isThis()) {
      throw new IllegalStateException(
          "Cairn's plugin does not run in this Spark application, so its job and store are"
              + " unknown. Set spark.plugins=io.cairn.spark.CairnPlugin, spark.cairn.job and"
              + " spark.cairn.store before the application starts");
    }
    CairnConfig defaults = CairnConfig.defaults();
    CairnEngine cairn = CairnEngine.open(defaults);
    LOG.info(
        "Cairn with its defaults: job {}, store {}. Cairn.open(settings).install() chooses others",
        defaults.job(),
        defaults.store());
    return cairn;
  }
}
