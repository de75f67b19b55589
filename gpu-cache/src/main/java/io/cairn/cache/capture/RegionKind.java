package io.cairn.cache.capture;

import io.cairn.Digest;
import io.cairn.Region;
import io.cairn.cache.memory.CaptureSource;
import java.nio.Buffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The kind of a region of memory: its elements and how many there are. */
final class RegionKind {
  /** Ends the kind of memory whose length is not fixed. */
  static final String ANY_LENGTH = "[]";

  private static final String POINTER = "Pointer";
  private static final String BYTES = "byte";

  private static final Map<String, Integer> ELEMENT_BYTES =
      Map.of(BYTES, 1, "short", 2, "char", 2, "int", 4, "long", 8, "float", 4, "double", 8);

  private RegionKind() {}

  /** Begins the part of a kind that tells gathered spans from one array of all their elements. */
  private static final String IN = " in ";

  private static final String MIXED = "mixed";

  /** Of a digest over the kinds of many spans; enough to notice that they changed. */
  private static final int DIGITS = 16;

  /**
   * Such as {@code float[250]}, unless the application names it; memory without a known element
   * counts in bytes.
   *
   * @param memory that the span names
   */
  static String of(Region.Span span, CaptureSource memory) {
    return span instanceof Region.Gather gather
        ? of(gather, memory.bytes())
        : of(span, memory.bytes());
  }

  /** Such as {@code float[250] in 3 spans, sha256 0123456789abcdef}. */
  private static String of(Region.Gather gather, long bytes) {
    Set<String> elements = new HashSet<>();
    StringBuilder kinds = new StringBuilder();
    for (Region.Span span : gather.spans()) {
      String kind = of(span, CaptureSource.of(span).bytes());
      elements.add(element(kind));
      kinds.append(kind).append('\n');
    }
    String element = elements.size() == 1 ? elements.iterator().next() : MIXED;
    int size = Math.max(1, elementBytes(element));
    String digest = Digest.of(kinds.toString().getBytes(StandardCharsets.US_ASCII)).toString();
    return String.format(
        Locale.ROOT,
        "%s[%d]%s%d spans, sha256 %s",
        element,
        bytes / size,
        IN,
        gather.spans().size(),
        digest.substring(0, DIGITS));
  }

  /** The kind of one array with the elements of gathered spans; any other kind as it is. */
  static String flat(String kind) {
    int spans = kind.indexOf(IN);
    return spans < 0 ? kind : kind.substring(0, spans);
  }

  private static String of(Region.Span span, long bytes) {
    String named = named(span);
    if (!named.isEmpty()) {
      return named;
    }
    String element = span instanceof Region.Memory region ? element(region.memory()) : BYTES;
    Integer size = ELEMENT_BYTES.get(element);
    return size == null ? BYTES + "[" + bytes + "]" : element + "[" + bytes / size + "]";
  }

  /** The kind that the application gave a span; empty if none. */
  private static String named(Region.Span span) {
    if (span instanceof Region.Memory memory) {
      return memory.kind();
    } else if (span instanceof Region.Address spanned) {
      return spanned.kind();
    }
    return span instanceof Region.OnDevice resident ? resident.kind() : "";
  }

  /**
   * Whether programs may have protected the same memory as plain bytes before: it shows no elements
   * by itself, or only newer versions see them.
   */
  static boolean mayHaveBeenBytes(Region.Span span) {
    return !named(span).isEmpty()
        || (span instanceof Region.Memory region && region.memory() instanceof Buffer);
  }

  /** Such as {@code float[]}. */
  static String ofAnyLength(Region.Memory region) {
    String element = element(region.memory());
    return (ELEMENT_BYTES.containsKey(element) ? element : BYTES) + ANY_LENGTH;
  }

  /** The element of a kind. */
  static String element(String kind) {
    int length = kind.indexOf('[');
    return length < 0 ? kind : kind.substring(0, length);
  }

  /** Bytes of an element; 0 if it is not known. */
  static int elementBytes(String element) {
    return ELEMENT_BYTES.getOrDefault(element, 0);
  }

  /** An array's or a buffer's element; for a JavaCPP pointer the beginning of its class's name. */
  private static String element(Object memory) {
    if (memory.getClass().isArray()) {
      return memory.getClass().getComponentType().getName();
    } else if (memory instanceof Buffer buffer) {
      return element(buffer);
    }
    String name = memory.getClass().getSimpleName();
    return name.endsWith(POINTER)
        ? name.substring(0, name.length() - POINTER.length()).toLowerCase(Locale.ROOT)
        : BYTES;
  }

  private static String element(Buffer buffer) {
    if (buffer instanceof FloatBuffer) {
      return "float";
    } else if (buffer instanceof DoubleBuffer) {
      return "double";
    } else if (buffer instanceof IntBuffer) {
      return "int";
    } else if (buffer instanceof LongBuffer) {
      return "long";
    } else if (buffer instanceof ShortBuffer) {
      return "short";
    }
    return buffer instanceof CharBuffer ? "char" : BYTES;
  }
}
