package io.cairn;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Finds the engine, once per class loader of this class. */
final class Providers {
  private static volatile @Nullable CairnProvider found;

  private Providers() {}

  /**
   * The engine that the loader of this class sees, or else the context loader.
   *
   * @throws IllegalStateException naming the missing artifact, or that there are two
   */
  static CairnProvider get() {
    CairnProvider provider = found;
    if (provider == null) {
      provider =
          find(Providers.class.getClassLoader(), Thread.currentThread().getContextClassLoader());
      found = provider;
    }
    return provider;
  }

  /** The first engine that one of the two loaders sees. */
  static CairnProvider find(@Nullable ClassLoader own, @Nullable ClassLoader context) {
    List<ServiceConfigurationError> errors = new ArrayList<>();
    Optional<CairnProvider> engine = first(own, errors).or(() -> first(context, errors));
    if (engine.isPresent()) {
      return engine.get();
    } else if (errors.isEmpty()) {
      throw new IllegalStateException(
          "the class path has Cairn's API and no engine of it: add io.cairn:cairn-engine, or one"
              + " jar with all of Cairn, the bundle of cairn-spark-plugin. A jar that was merged"
              + " needs its META-INF/services");
    }
    throw new IllegalStateException(
        "an engine is there and does not fit this API, as if two jars had Cairn: leave it out of"
            + " the application's jar",
        errors.get(0));
  }

  private static Optional<CairnProvider> first(
      @Nullable ClassLoader loader, List<ServiceConfigurationError> errors) {
    try {
      Iterator<CairnProvider> engines = ServiceLoader.load(CairnProvider.class, loader).iterator();
      return engines.hasNext() ? Optional.of(engines.next()) : Optional.empty();
    } catch (ServiceConfigurationError e) {
      errors.add(e);
      return Optional.empty();
    }
  }
}
