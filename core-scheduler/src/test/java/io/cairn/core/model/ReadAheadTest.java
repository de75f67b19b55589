package io.cairn.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.core.model.ChunkReader.Reading;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private static final int CHUNKS = 11;

  private final ReadAhead ahead = new ReadAhead(ByteBuffer.allocate(8));
  private final Set<ByteBuffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Integer> used = new ArrayList<>();
  private int underWay;
  private int mostUnderWay;

  /** Lands when it is awaited; fails then if it is of a chunk that is lost. */
  private final class Late implements Reading {
    private final int number;
    private final ByteBuffer into;
    private final boolean lost;
    private boolean ended;

    Late(int number, ByteBuffer into, boolean lost) {
      this.number = number;
      this.into = into;
      this.lost = lost;
      underWay++;
      mostUnderWay = Math.max(mostUnderWay, underWay);
    }

    @Override
    public boolean isDone() {
      return ended;
    }

    @Override
    public void await() throws IOException {
      if (!ended) {
        ended = true;
        underWay--;
      }
      if (lost) {
        throw new IOException("chunk " + number + " is lost");
      }
      into.clear().putInt(number);
    }
  }

  private void use(int number, Reading reading, ByteBuffer bytes) throws IOException {
    reading.await();
    assertThat(bytes.flip().getInt()).isEqualTo(number);
    used.add(number);
  }

  @Test
  void severalLateReadsAreUnderWayAndUsedInOrder() throws Exception {
    ahead.forEach(CHUNKS, (number, into) -> new Late(number, into, false), this::use);

    assertThat(mostUnderWay).isEqualTo(ReadAhead.MOST_UNDER_WAY);
    assertThat(used).hasSize(CHUNKS).isSorted().doesNotHaveDuplicates();
    assertThat(underWay).isZero();
  }

  @Test
  void readsThatEndAtOnceNeedOneBuffer() throws Exception {
    ahead.forEach(
        CHUNKS,
        (number, into) -> {
          buffers.add(into);
          into.putInt(number);
          return Reading.DONE;
        },
        this::use);

    assertThat(buffers).hasSize(1);
    assertThat(used).hasSize(CHUNKS);
  }

  @Test
  void aFailureLeavesNoReadUnderWay() throws Exception {
    assertThatIOException()
        .isThrownBy(
            () ->
                ahead.forEach(
                    CHUNKS, (number, into) -> new Late(number, into, number >= 5), this::use))
        .withMessage("chunk 5 is lost");

    assertThat(underWay).isZero();
    assertThat(used).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void aReadThatCannotStartLeavesNoOtherUnderWay() throws Exception {
    assertThatIOException()
        .isThrownBy(
            () ->
                ahead.forEach(
                    CHUNKS,
                    (number, into) -> {
                      if (number == 3) {
                        throw new IOException("no way there");
                      }
                      return new Late(number, into, false);
                    },
                    this::use))
        .withMessage("no way there");

    assertThat(underWay).isZero();
    ahead.forEach(1, (number, into) -> new Late(number, into, false), this::use);
    assertThat(used).endsWith(0);
  }

  /** Chunks in mapped memory but for one, which has to be read. */
  private final class Mapped implements ReadAhead.Start {
    private static final int UNMAPPED = 4;

    private int open;

    @Override
    public Reading start(int number, ByteBuffer into) {
      assertThat(number).isGreaterThanOrEqualTo(UNMAPPED);
      return new Late(number, into, false);
    }

    @Override
    public Optional<MappedBytes> inPlace(int number) {
      if (number == UNMAPPED) {
        return Optional.empty();
      }
      open++;
      return Optional.of(
          new MappedBytes() {
            @Override
            public ByteBuffer buffer() {
              return ByteBuffer.allocate(4).putInt(0, number).asReadOnlyBuffer();
            }

            @Override
            public void close() {
              open--;
            }
          });
    }
  }

  @Test
  void chunksInMappedMemoryAreUsedThere() throws Exception {
    Mapped mapped = new Mapped();
    List<Integer> inPlace = new ArrayList<>();

    ahead.forEach(
        CHUNKS,
        mapped,
        (number, reading, bytes) -> {
          if (bytes.isReadOnly()) {
            inPlace.add(number);
          }
          use(number, reading, bytes);
        });

    assertThat(inPlace).startsWith(0, 1, 2, 3).doesNotContain(Mapped.UNMAPPED);
    assertThat(used).hasSize(CHUNKS).isSorted().doesNotHaveDuplicates();
    assertThat(mapped.open).isZero();
  }

  @Test
  void aUseThatFailsReleasesMappedBytes() {
    Mapped mapped = new Mapped();

    assertThatIOException()
        .isThrownBy(
            () ->
                ahead.forEach(
                    CHUNKS,
                    mapped,
                    (number, reading, bytes) -> {
                      throw new IOException("the store is full");
                    }));

    assertThat(mapped.open).isZero();
  }

  /** Lends two buffers at once. */
  private final class Lender implements ReadAhead.Start {
    private final int lost;
    private int open;
    private int intoLent;

    Lender(int lost) {
      this.lost = lost;
    }

    @Override
    public Reading start(int number, ByteBuffer into) {
      intoLent += into.isDirect() && into.capacity() == 8 && into.get(7) == 77 ? 1 : 0;
      return new Late(number, into, number == lost);
    }

    @Override
    public Optional<MappedBytes> staging(int bytes) {
      if (open == 2) {
        return Optional.empty();
      }
      open++;
      ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).put(7, (byte) 77);
      return Optional.of(
          new MappedBytes() {
            @Override
            public ByteBuffer buffer() {
              return buffer;
            }

            @Override
            public void close() {
              assertThat(underWay).isZero();
              open--;
            }
          });
    }
  }

  @Test
  void buffersThatAReaderLendsAreUsedFirstAndGivenBack() throws Exception {
    Lender lender = new Lender(-1);
    ahead.forEach(CHUNKS, lender, this::use);

    assertThat(used).hasSize(CHUNKS).isSorted().doesNotHaveDuplicates();
    assertThat(mostUnderWay).isEqualTo(ReadAhead.MOST_UNDER_WAY);
    assertThat(lender.intoLent).isBetween(CHUNKS / 2, CHUNKS - 1);
    assertThat(lender.open).isZero();
    ahead.forEach(1, (number, into) -> new Late(number, into, false), this::use);
  }

  @Test
  void buffersThatAReaderLendsAreGivenBackAfterAFailure() {
    Lender lender = new Lender(3);
    assertThatIOException().isThrownBy(() -> ahead.forEach(CHUNKS, lender, this::use));

    assertThat(lender.open).isZero();
  }

  @Test
  void chunksAreReadIntoPlacesOfTheirOwn() throws Exception {
    List<ByteBuffer> places = new ArrayList<>();
    for (int number = 0; number < CHUNKS; number++) {
      places.add(ByteBuffer.allocate(4));
    }

    ReadAhead.into(places::get)
        .forEach(CHUNKS, (number, into) -> new Late(number, into, false), this::use);

    assertThat(places).extracting(place -> place.getInt(0)).isEqualTo(used);
    assertThat(mostUnderWay).isEqualTo(ReadAhead.MOST_UNDER_WAY);
  }

  @Test
  void chunksOfAllRegionsAreNumbered() throws Exception {
    List<RegionImage> images =
        List.of(image("none", 0), image("a", 3), image("empty", 0), image("b", 1), image("z", 0));
    ChunkNumbers numbers = new ChunkNumbers(images);
    List<String> read = new ArrayList<>();

    ahead.forEach(
        numbers,
        (region, chunk, into) -> read.add(images.get(region).name() + chunk),
        (number, reading, bytes) -> {
          assertThat(numbers.of(numbers.region(number), numbers.chunk(number))).isEqualTo(number);
        });

    assertThat(read).containsExactly("a0", "a1", "a2", "b0");
  }

  private static RegionImage image(String name, int chunks) {
    return new RegionImage(name, chunks * 8L, 8, new int[chunks]);
  }
}
