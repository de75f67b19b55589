package io.cairn.cache.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Chunks that one call copies to memory of one device, in the order in which they were added. Those
 * that follow each other in source and target form runs. Built by one thread; not changed once an
 * engine has it.
 */
public final class CopyBatch {
  private static final int RUNS_AT_FIRST = 4;

  /** Words of a run: source offset, target offset, bytes of each chunk but the last. */
  private static final int WORDS = 3;

  private final int capacity;
  private CaptureSource[] sources = new CaptureSource[RUNS_AT_FIRST];
  private long[] words = new long[RUNS_AT_FIRST * WORDS];

  /** Per run the number of its first chunk. */
  private int[] firsts = new int[RUNS_AT_FIRST];

  /** Per run its bytes; those of the last one are known when the next begins. */
  private long[] lengths = new long[RUNS_AT_FIRST];

  private long device;
  private int runs;
  private int chunks;
  private long bytes;

  // of the last run, so that a chunk that continues it writes no array
  private @Nullable CaptureSource lastSource;
  private long nextSourceOffset;
  private long nextTargetOffset;
  private long lastLength;

  /** The most bytes with which a chunk continues the run; 0 after a shorter chunk. */
  private long mostBytes;

  /**
   * Chunks that follow each other in source and target.
   *
   * @param source of all
   * @param sourceOffset of the first, in bytes
   * @param target of all
   * @param first number of the first in the batch
   * @param chunks 1 or more
   * @param chunkBytes length of each but the last, which may be shorter
   */
  public record Run(
      CaptureSource source,
      long sourceOffset,
      DeviceAddress target,
      int first,
      int chunks,
      long chunkBytes) {
    /** Some of its chunks, from one index on to the one before another. */
    public Run part(int from, int to) {
      long begin = start(from);
      long end = to == chunks ? target.bytes() : start(to);
      DeviceAddress there = target.slice(begin, end - begin);
      return new Run(source, sourceOffset + begin, there, first + from, to - from, chunkBytes);
    }

    /**
     * Its parts between the places at which the memory of its device is divided. A chunk that lies
     * on both sides of one is in the part before.
     *
     * @param length of each piece of the memory, from offset 0 on
     */
    public List<Run> dividedAt(long length) {
      List<Run> parts = new ArrayList<>();
      for (int from = 0; from < chunks; ) {
        long left = length - (target.offset() + start(from)) % length;
        long fitting = chunkBytes == 0 ? chunks : Math.max(1, left / chunkBytes);
        int to = (int) Math.min(chunks, from + fitting);
        if (to == chunks - 1 && start(to) + length(to) <= start(from) + left) {
          to = chunks; // the last chunk is shorter
        }
        parts.add(from == 0 && to == chunks ? this : part(from, to));
        from = to;
      }
      return parts;
    }

    /** Where a chunk of the run begins in it, in bytes. */
    public long start(int index) {
      return index * chunkBytes;
    }

    /** Length of a chunk of the run, in bytes. */
    public long length(int index) {
      return Math.min(chunkBytes, target.bytes() - start(index));
    }
  }

  /**
   * An empty batch.
   *
   * @param capacity how many chunks it takes at most, 1 or more
   */
  public CopyBatch(int capacity) {
    this.capacity = capacity;
  }

  /** A batch of one chunk; parameters as in {@link #add}. */
  public static CopyBatch of(CaptureSource source, long sourceOffset, DeviceAddress target) {
    return new CopyBatch(1).add(source, sourceOffset, target);
  }

  /**
   * Adds a chunk.
   *
   * @param sourceOffset in bytes
   * @param target of the same {@linkplain DeviceAddress#device() device} as the others; it overlaps
   *     none of them
   * @throws IllegalArgumentException if the target is of another device
   * @throws IndexOutOfBoundsException if the chunk is not within its source, or one too many
   */
  public CopyBatch add(CaptureSource source, long sourceOffset, DeviceAddress target) {
    if (chunks > 0 && target.device() != device) {
      throw new IllegalArgumentException(target + " in a batch for device " + device);
    }
    if (sourceOffset < 0 || target.bytes() > source.bytes() - sourceOffset) {
      throw new IndexOutOfBoundsException(
          target.bytes() + " bytes from " + sourceOffset + " on of " + source);
    }
    Objects.checkIndex(chunks, capacity);
    device = target.device();
    long length = target.bytes();
    boolean continues =
        source == lastSource
            && sourceOffset == nextSourceOffset
            && target.offset() == nextTargetOffset
            && length <= mostBytes
            && length > 0;
    if (!continues) {
      begin(source, sourceOffset, target.offset(), length);
    }
    if (length < mostBytes) {
      mostBytes = 0;
    }
    nextSourceOffset = sourceOffset + length;
    nextTargetOffset = target.offset() + length;
    lastLength += length;
    bytes += length;
    chunks++;
    return this;
  }

  private void begin(CaptureSource source, long sourceOffset, long targetOffset, long length) {
    if (runs == sources.length) {
      int more = 2 * runs;
      sources = Arrays.copyOf(sources, more);
      words = Arrays.copyOf(words, more * WORDS);
      firsts = Arrays.copyOf(firsts, more);
      lengths = Arrays.copyOf(lengths, more);
    }
    if (runs > 0) {
      lengths[runs - 1] = lastLength;
    }
    int at = runs * WORDS;
    sources[runs] = source;
    firsts[runs] = chunks;
    words[at] = sourceOffset;
    words[at + 1] = targetOffset;
    words[at + 2] = length;
    runs++;
    lastSource = source;
    lastLength = 0;
    mostBytes = length;
  }

  /** How many chunks it takes at most. */
  public int capacity() {
    return capacity;
  }

  /** How many chunks it holds; they are numbered from 0. */
  public int chunks() {
    return chunks;
  }

  /** Bytes of all chunks. */
  public long bytes() {
    return bytes;
  }

  /** The number of the device that all targets are of; undefined before the first is added. */
  public long device() {
    return device;
  }

  /** Whether no source lies on a device. */
  public boolean isOnHost() {
    for (int run = 0; run < runs; run++) {
      if (!(sources[run] instanceof HostMemory)) {
        return false;
      }
    }
    return true;
  }

  /** How many runs its chunks form; they are numbered from 0. */
  public int runs() {
    return runs;
  }

  /** A run, whose chunks follow those of the run before. */
  public Run run(int number) {
    int at = Objects.checkIndex(number, runs) * WORDS;
    boolean last = number + 1 == runs;
    long length = last ? lastLength : lengths[number];
    int end = last ? chunks : firsts[number + 1];
    return new Run(
        sources[number],
        words[at],
        new DeviceAddress(device, words[at + 1], length),
        firsts[number],
        end - firsts[number],
        words[at + 2]);
  }

  private int runOf(int chunk) {
    int found = Arrays.binarySearch(firsts, 0, runs, Objects.checkIndex(chunk, chunks));
    return found < 0 ? -found - 2 : found;
  }

  /** Where a chunk is copied from. */
  public CaptureSource source(int chunk) {
    return sources[runOf(chunk)];
  }

  /** Where a chunk begins in its source, in bytes. */
  public long sourceOffset(int chunk) {
    int run = runOf(chunk);
    return words[run * WORDS] + (chunk - firsts[run]) * words[run * WORDS + 2];
  }

  /** Where a chunk is copied to; as long as the chunk. */
  public DeviceAddress target(int chunk) {
    int run = runOf(chunk);
    long each = words[run * WORDS + 2];
    long start = (chunk - firsts[run]) * each;
    long all = run + 1 == runs ? lastLength : lengths[run];
    return new DeviceAddress(device, words[run * WORDS + 1] + start, Math.min(each, all - start));
  }
}
