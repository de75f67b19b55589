package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Against an oracle that knows every byte of every span. */
class SharedSpansTest {
  private static final int BYTES = 64;

  /** Spans of two arrays and two direct buffers, and the bytes of each. */
  private static final class Spans {
    private final List<Object> places =
        List.of(
            new byte[BYTES],
            new byte[BYTES],
            ByteBuffer.allocateDirect(BYTES),
            ByteBuffer.allocateDirect(BYTES));

    private final List<CaptureSource> spans = new ArrayList<>();
    private final List<Set<Integer>> bytes = new ArrayList<>();

    Spans(Random random, int count) {
      for (int i = 0; i < count; i++) {
        add(random.nextInt(4), random.nextInt(BYTES), random.nextInt(12));
      }
    }

    private void add(int place, int start, int longest) {
      int length = Math.min(longest, BYTES - start);
      Object memory = places.get(place);
      spans.add(
          memory instanceof ByteBuffer buffer
              ? HostMemory.of(buffer.slice(start, length))
              : new ArrayMemory(ArrayKind.BYTE, memory, start, length));
      Set<Integer> all = new HashSet<>();
      for (int i = start; i < start + length; i++) {
        all.add(place * BYTES + i);
      }
      bytes.add(all);
    }

    boolean shared(int one, int other) {
      return !Collections.disjoint(bytes.get(one), bytes.get(other));
    }

    boolean shared(int split) {
      for (int one = 0; one < split; one++) {
        for (int other = split; other < spans.size(); other++) {
          if (shared(one, other)) {
            return true;
          }
        }
      }
      return false;
    }

    boolean shared() {
      for (int other = 1; other < spans.size(); other++) {
        for (int one = 0; one < other; one++) {
          if (shared(one, other)) {
            return true;
          }
        }
      }
      return false;
    }
  }

  @Test
  void sharedBytesAreFoundAndNoOthers() {
    int found = 0;
    for (long seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      Spans spans = new Spans(random, 2 + random.nextInt(8));
      int split = random.nextInt(spans.spans.size() + 1);

      assertThat(
              SharedSpans.exists(
                  spans.spans.subList(0, split), spans.spans.subList(split, spans.spans.size())))
          .as("seed %d", seed)
          .isEqualTo(spans.shared(split));
      if (spans.shared()) {
        found++;
        assertThatIllegalArgumentException()
            .as("seed %d", seed)
            .isThrownBy(() -> SharedSpans.requireNone("r", spans.spans));
      } else {
        assertThatCode(() -> SharedSpans.requireNone("r", spans.spans))
            .as("seed %d", seed)
            .doesNotThrowAnyException();
      }
    }
    assertThat(found).isBetween(500, 2500);
  }
}
