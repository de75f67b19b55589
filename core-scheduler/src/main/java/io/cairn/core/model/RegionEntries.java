package io.cairn.core.model;

import io.cairn.Compression;
import io.cairn.ErrorBound;
import io.cairn.RegionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The entries of a fingerprint that say how regions are treated: {@code codec.weights zstd}, or
 * {@code lossy.weights float within 0.001}. They travel with a checkpoint to every process that
 * writes it again. Stateless.
 */
public final class RegionEntries {
  private static final String CODEC = "codec.";
  private static final String LOSSY = "lossy.";
  private static final String FLOAT = "float";
  private static final String DOUBLE = "double";

  private RegionEntries() {}

  /**
   * A region whose numbers are rounded.
   *
   * @param doubles whether its elements are doubles; otherwise they are floats
   */
  public record Lossy(boolean doubles, ErrorBound bound) {}

  /**
   * The entries of one region, by name; none for {@link RegionOptions#DEFAULT}.
   *
   * @param element of the region, such as {@code float}
   * @param bytes of the region, if they are fixed; otherwise 0
   * @throws IllegalArgumentException if a loss is accepted, and the region has no floats or doubles
   */
  public static Map<String, String> of(
      String region, String element, long bytes, RegionOptions options) {
    Map<String, String> entries = new TreeMap<>();
    options.compression().ifPresent(own -> entries.put(CODEC + region, own.label()));
    options
        .loss()
        .ifPresent(
            bound -> {
              requireNumbers(region, element, bytes);
              entries.put(LOSSY + region, element + " " + bound);
            });
    return entries;
  }

  private static void requireNumbers(String region, String element, long bytes) {
    boolean known = element.equals(FLOAT) || element.equals(DOUBLE);
    int length = element.equals(DOUBLE) ? Double.BYTES : Float.BYTES;
    if (!known || bytes % length != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              ("region %s cannot be lossy: it is %d bytes of %s. Protect a float[], a double[], or"
                  + " native memory of a kind such as float[250]; or leave out its error bound"),
              region,
              bytes,
              element));
    }
  }

  /**
   * The compressions that regions ask for, by the region's name. A label that this version does not
   * know counts as absent: it says how to write, and not how to read.
   */
  public static Map<String, Compression> compressions(Fingerprint program) {
    Map<String, Compression> compressions = new TreeMap<>();
    forEach(
        program,
        CODEC,
        (region, label) -> Compression.of(label).ifPresent(own -> compressions.put(region, own)));
    return compressions;
  }

  /**
   * The regions whose numbers are rounded, by name.
   *
   * @throws IllegalArgumentException naming an entry that has another form
   */
  public static Map<String, Lossy> lossy(Fingerprint program) {
    Map<String, Lossy> lossy = new TreeMap<>();
    forEach(program, LOSSY, (region, text) -> lossy.put(region, parse(region, text)));
    return lossy;
  }

  /** The regions whose numbers are rounded, for people: {@code weights float within 0.001}. */
  public static List<String> lossyTexts(Fingerprint program) {
    List<String> texts = new ArrayList<>();
    forEach(program, LOSSY, (region, text) -> texts.add(region + " " + text));
    return texts;
  }

  private static Lossy parse(String region, String text) {
    int blank = text.indexOf(' ');
    String element = blank < 0 ? text : text.substring(0, blank);
    if (blank < 0 || !(element.equals(FLOAT) || element.equals(DOUBLE))) {
      throw new IllegalArgumentException("entry " + LOSSY + region + " is '" + text + "'");
    }
    return new Lossy(element.equals(DOUBLE), ErrorBound.parse(text.substring(blank + 1)));
  }

  private static void forEach(
      Fingerprint program, String prefix, BiConsumer<String, String> action) {
    program
        .entries()
        .forEach(
            (name, value) -> {
              if (name.startsWith(prefix)) {
                action.accept(name.substring(prefix.length()), value);
              }
            });
  }
}
