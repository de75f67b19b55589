package io.cairn;

import io.cairn.internal.PathSegment;
import io.cairn.internal.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * A named span of the application's memory, or a small value that stands for some of its state. A
 * region keeps its owner reachable. Its size may differ from checkpoint to checkpoint only for a
 * {@link Resizable} or a {@link Blob}. Immutable.
 */
public sealed interface Region {
  /**
   * Unique within the rank: 1 to 128 letters, digits, '.', '_' and '-', starting with a letter or a
   * digit.
   */
  String name();

  /** Memory whose place and length do not change while it is protected. */
  sealed interface Span extends Region {}

  /**
   * Memory of the application.
   *
   * @param memory a primitive array, a direct or array-backed {@link java.nio.Buffer}, or a JavaCPP
   *     {@code Pointer}. Of a buffer all elements count, of a pointer those from its position to
   *     its limit. A direct typed buffer has the byte order of this machine
   * @param kind as for {@link Address}; empty for the elements that the memory shows: those of an
   *     array, of a typed buffer and of a typed pointer, else bytes
   */
  record Memory(String name, Object memory, String kind) implements Span {
    /** Checks name and kind. */
    public Memory {
      PathSegment.require("region", name);
      requireKind(name, kind);
    }

    /** Of the elements that the memory shows. */
    public Memory(String name, Object memory) {
      this(name, memory, "");
    }
  }

  /**
   * Native memory by its address in this process; that of no bytes may have the address 0.
   *
   * @param owner kept reachable as long as the region is protected
   * @param kind elements and shape, such as {@code float[3, 4]}: a checkpoint of another kind is
   *     refused. {@link Strides#kind} writes that of an array in another order. 1 to 128 printable
   *     ASCII characters; empty for plain bytes
   */
  record Address(String name, long address, long bytes, Object owner, String kind) implements Span {
    /** Checks name, span and kind. */
    public Address {
      requireSpan(name, address, bytes);
      requireKind(name, kind);
    }

    /** Plain bytes. */
    public Address(String name, long address, long bytes, Object owner) {
      this(name, address, bytes, owner, "");
    }
  }

  /**
   * Memory of a device by its address there. No host thread reads or writes it; a device memory
   * that does not reach it refuses to protect it, unless the owner is a {@link MirroredMemory}.
   *
   * @param device where it lies
   * @param after the device's work before which it must not be copied
   * @param owner kept reachable as long as the region is protected
   * @param kind as for {@link Address}
   */
  record OnDevice(
      String name,
      DeviceName device,
      long address,
      long bytes,
      ReadyAfter after,
      Object owner,
      String kind)
      implements Span {
    /** Checks name, span and kind. */
    public OnDevice {
      requireSpan(name, address, bytes);
      requireKind(name, kind);
    }

    /** Plain bytes. */
    public OnDevice(
        String name, DeviceName device, long address, long bytes, ReadyAfter after, Object owner) {
      this(name, device, address, bytes, after, owner, "");
    }
  }

  /**
   * Several spans that are one region, such as the tensors of a network. Their bytes follow each
   * other without gaps, in the order of the list, and chunks have no regard to where a span ends.
   * So they take as many chunks as one array of all their bytes. A checkpoint of other spans is
   * refused.
   *
   * @param spans no two of which share a byte; those of a gather in the list take its place. Their
   *     names mean nothing. Empty ones are allowed
   */
  record Gather(String name, List<Span> spans) implements Span {
    /** Checks the name, and copies the list. */
    public Gather {
      PathSegment.require("region", name);
      List<Span> flat = new ArrayList<>(spans.size());
      for (Span span : spans) {
        flat.addAll(span instanceof Gather inner ? inner.spans() : List.of(span));
      }
      spans = List.copyOf(flat);
    }
  }

  /**
   * Memory whose place and length may change between checkpoints, such as an array that grows.
   *
   * @param memory returns the memory of the moment, of a kind as for {@link Memory} and always of
   *     the same elements. Called on the training thread at protection, at each checkpoint, and at
   *     a restore after {@code resize}. No other region may share the memory
   * @param resize makes the memory that many bytes long. Called on the training thread at a
   *     restore, before any byte is written
   */
  record Resizable(String name, Supplier<?> memory, LongConsumer resize) implements Region {
    /** Checks the name. */
    public Resizable {
      PathSegment.require("region", name);
    }
  }

  /**
   * A small value: a random generator's state, an iterator's position.
   *
   * @param save returns its bytes; called on the training thread at each checkpoint
   * @param load restores it from those bytes; called on the training thread at a restore
   */
  record Blob(String name, Supplier<byte[]> save, Consumer<byte[]> load) implements Region {
    /** Checks the name. */
    public Blob {
      PathSegment.require("region", name);
    }
  }

  /** A region over memory whose kind is detected. */
  static Region of(String name, Object memory) {
    return new Memory(name, memory);
  }

  /** A region over memory of a kind, such as a buffer of bytes that holds {@code float[3, 4]}. */
  static Region of(String name, Object memory, String kind) {
    return new Memory(name, memory, kind);
  }

  /** A region over native memory. */
  static Region of(String name, long address, long bytes, Object owner) {
    return new Address(name, address, bytes, owner);
  }

  /** A region over native memory of a kind, such as {@code float[3, 4]}. */
  static Region of(String name, long address, long bytes, Object owner, String kind) {
    return new Address(name, address, bytes, owner, kind);
  }

  /** A region over memory of a device. */
  static Region of(
      String name, DeviceName device, long address, long bytes, ReadyAfter after, Object owner) {
    return new OnDevice(name, device, address, bytes, after, owner);
  }

  /** A region over memory of a device, of a kind such as {@code float[3, 4]}. */
  static Region of(
      String name,
      DeviceName device,
      long address,
      long bytes,
      ReadyAfter after,
      Object owner,
      String kind) {
    return new OnDevice(name, device, address, bytes, after, owner, kind);
  }

  /**
   * One region over several spans; see {@link Gather}.
   *
   * @param spans each a {@link Span}, or memory as for {@link Memory}
   * @throws IllegalArgumentException if one is a region of another kind
   */
  static Region gather(String name, List<? extends Object> spans) {
    List<Span> all = new ArrayList<>(spans.size());
    for (Object span : spans) {
      all.add(span(name, span));
    }
    return new Gather(name, all);
  }

  private static Span span(String name, Object span) {
    if (span instanceof Span known) {
      return known;
    } else if (span instanceof Region other) {
      throw new IllegalArgumentException(
          ("region %s cannot gather region %s, whose memory may move; protect that one by itself,"
                  + " or gather memory that stays in its place")
              .formatted(name, other.name()));
    }
    return new Memory(name, span);
  }

  /** A region over memory whose place and length may change. */
  static Region resizable(String name, Supplier<?> memory, LongConsumer resize) {
    return new Resizable(name, memory, resize);
  }

  /** A region over a small value. */
  static Region of(String name, Supplier<byte[]> save, Consumer<byte[]> load) {
    return new Blob(name, save, load);
  }

  private static void requireKind(String name, String kind) {
    if (!kind.isEmpty()) {
      PrintableText.require(name, kind);
    }
  }

  private static void requireSpan(String name, long address, long bytes) {
    PathSegment.require("region", name);
    if ((address == 0 && bytes != 0) || bytes < 0) {
      throw new IllegalArgumentException(
          "region " + name + ": address " + address + ", " + bytes + " bytes");
    }
  }
}
