package io.cairn;

import java.util.Iterator;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Finds the engine, once per class loader of this class. */
final class Providers {
  private static volatile @Nullable CairnProvider found;

  private Providers() {}

  /**
   * The engine that the loader of this class sees, or else the context loader.
   *
   * @throws IllegalStateException naming the missing artifact
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
    return first(own)
        .or(() -> first(context))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "the class path has Cairn's API and no engine of it: add"
                        + " io.cairn:cairn-engine, or one jar with all of Cairn, the bundle of"
                        + " cairn-spark-plugin"));
  }

  private static Optional<CairnProvider> first(@Nullable ClassLoader loader) {
    Iterator<CairnProvider> engines = ServiceLoader.load(CairnProvider.class, loader).iterator();
    return engines.hasNext() ? Optional.of(engines.next()) : Optional.empty();
  }
}
