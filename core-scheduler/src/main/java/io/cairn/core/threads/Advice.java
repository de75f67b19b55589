package io.cairn.core.threads;

import java.net.URL;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Tells users what helps against a failure of one of Cairn's parts. */
public final class Advice {
  private static final int LONGEST = 2_000;
  private static final Pattern CLASS_NAME = Pattern.compile("(?:[a-z]\\w*[./])+[A-Z][\\w$]*");

  private Advice() {}

  /** One or two sentences, which name the jar of a class that does not fit, if it is known. */
  public static String on(Throwable failure) {
    if (failure instanceof LinkageError) {
      return String.format(
          Locale.ROOT,
          "A class%s is not the one that Cairn needs: leave its jar out of the application's jars,"
              + " or do not set spark.executor.userClassPathFirst",
          place(String.valueOf(failure.getMessage())).map(jar -> " of " + jar).orElse(""));
    } else if (failure instanceof OutOfMemoryError) {
      return "Give the process more memory, or more threads";
    }
    return "Report this with its stack";
  }

  /** Where the first class that a message names comes from; loaders and Cairn's do not count. */
  private static Optional<String> place(String message) {
    String beginning = message.substring(0, Math.min(LONGEST, message.length()));
    return CLASS_NAME
        .matcher(beginning)
        .results()
        .map(MatchResult::group)
        .map(name -> name.replace('.', '/'))
        .filter(name -> !name.startsWith("java/") && !name.startsWith("io/cairn/"))
        .filter(name -> !name.endsWith("ClassLoader"))
        .map(Advice::resource)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> resource(String name) {
    ClassLoader loader = Advice.class.getClassLoader();
    URL found = loader == null ? null : loader.getResource(name + ".class");
    return Optional.ofNullable(found).map(URL::toString);
  }
}
