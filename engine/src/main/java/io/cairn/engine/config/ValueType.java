package io.cairn.engine.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A type of values as users write them. Immutable.
 *
 * @param expected legal values, after "give"; the table of settings shows them
 * @param parse gives the value of a text; empty if the text is not legal. It may throw {@link
 *     IllegalArgumentException}, whose message then says what to give
 * @param hidden whether no message shows a value
 */
record ValueType<T>(String expected, Function<String, Optional<T>> parse, boolean hidden) {
  /** Any text. */
  static final ValueType<String> TEXT = new ValueType<>("a text", Optional::of);

  /** A number of bytes. */
  static final ValueType<Long> SIZE =
      new ValueType<>(
          "a size such as 64m or 4g",
          text -> {
            var bytes = Sizes.parse(text);
            return bytes.isPresent() ? Optional.of(bytes.getAsLong()) : Optional.empty();
          });

  /** A duration whose nanoseconds fit a long. */
  static final ValueType<Duration> TIME =
      new ValueType<>("a time such as 60s or 12h", ValueType::time);

  /** A duration above 0. */
  static final ValueType<Duration> TIME_ABOVE_0 =
      TIME.where(time -> !time.isZero(), "a time above 0, such as 60s or 12h");

  /** A fraction, above 0 and at most 1. */
  static final ValueType<Double> PART =
      new ValueType<>("a part such as 1% or 0.01", ValueType::part);

  /** A directory of this machine. */
  static final ValueType<Path> DIRECTORY = new ValueType<>("a directory's path", ValueType::path);

  private static final Pattern TIME_TEXT = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");
  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final Pattern PART_TEXT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,9})?)\\s*(%?)");
  private static final Pattern URI_SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/");

  ValueType(String expected, Function<String, Optional<T>> parse) {
    this(expected, parse, false);
  }

  /** A whole number within bounds. */
  static ValueType<Integer> number(int least, int most) {
    return new ValueType<>(
        most == Integer.MAX_VALUE
            ? least + " or more"
            : String.format(Locale.ROOT, "%d to %d", least, most),
        text -> whole(text).filter(n -> n >= least && n <= most).map(Math::toIntExact));
  }

  /** A whole number without an upper bound. */
  static ValueType<Long> atLeast(long least) {
    return new ValueType<>(least + " or more", text -> whole(text).filter(n -> n >= least));
  }

  /** One of the constants of an enum, in lower case and with hyphens. */
  static <E extends Enum<E>> ValueType<E> oneOf(Class<E> constants) {
    List<E> all = List.of(constants.getEnumConstants());
    String last = word(all.get(all.size() - 1));
    String others =
        all.subList(0, all.size() - 1).stream()
            .map(ValueType::word)
            .collect(Collectors.joining(", "));
    return new ValueType<>(
        others + " or " + last,
        text -> all.stream().filter(each -> word(each).equals(text)).findFirst());
  }

  /** One of two words: whether it is the second one. */
  static ValueType<Boolean> either(String first, String second) {
    return new ValueType<>(
        first + " or " + second,
        text -> Optional.of(text.equals(second)).filter(is -> is || text.equals(first)));
  }

  /** The names that are separated by commas; none if the text is empty. */
  static List<String> names(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  /** The same type; no message shows a value. */
  ValueType<T> withoutShowing() {
    return new ValueType<>(expected, parse, true);
  }

  /** The values for which a predicate holds. */
  ValueType<T> where(Predicate<T> legal, String expected) {
    return new ValueType<>(expected, text -> parse.apply(text).filter(legal), hidden);
  }

  /** The values that a check accepts, which throws an exception that says what to give. */
  ValueType<T> checked(String expected, Consumer<T> check) {
    return new ValueType<>(
        expected,
        text -> {
          Optional<T> value = parse.apply(text);
          value.ifPresent(check);
          return value;
        },
        hidden);
  }

  /** These values, converted. */
  <R> ValueType<R> map(Function<T, R> conversion) {
    return new ValueType<>(expected, text -> parse.apply(text).map(conversion), hidden);
  }

  /** These values, and one that a word stands for. */
  ValueType<T> or(String word, T value) {
    return new ValueType<>(
        word + ", or " + expected,
        text -> text.equals(word) ? Optional.of(value) : parse.apply(text),
        hidden);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Optional<Long> whole(String text) {
    try {
      return Optional.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<Duration> time(String text) {
    Matcher time = TIME_TEXT.matcher(text.toLowerCase(Locale.ROOT));
    if (!time.matches()) {
      return Optional.empty();
    }
    long amount = Long.parseLong(time.group(1));
    Duration duration =
        switch (time.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofDays(amount);
        };
    if (duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("give at most " + LONGEST.toDays() + "d");
    }
    return Optional.of(duration);
  }

  private static Optional<Double> part(String text) {
    Matcher part = PART_TEXT.matcher(text);
    if (!part.matches()) {
      return Optional.empty();
    }
    double value = Double.parseDouble(part.group(1)) / (part.group(2).isEmpty() ? 1 : 100);
    return Optional.of(value).filter(v -> v > 0 && v <= 1);
  }

  private static Optional<Path> path(String text) {
    if (URI_SCHEME.matcher(text).lookingAt()) {
      throw new IllegalArgumentException("give a directory's path on this machine, and no URI");
    }
    try {
      return Optional.of(Path.of(text));
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "give a directory's path (" + e.getReason() + "; LC_ALL=C.UTF-8 may help)", e);
    }
  }
}
