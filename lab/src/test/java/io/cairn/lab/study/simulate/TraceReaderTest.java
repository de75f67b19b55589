package io.cairn.lab.study.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceReaderTest {
  @Test
  void rowsMayComeInAnyOrderAndColumnsToo() throws IOException {
    Trace trace =
        read("\uFEFFrank, bytes ,other,snapshot\r\n1,40,x,9\n0,10,x,5\n\n1,20,x,5\n0,30,x,9");
    assertThat(trace.snapshots()).isEqualTo(2);
    assertThat(trace.number(1)).isEqualTo(9);
    assertThat(trace.all()).containsExactly(10L, 20L, 30L, 40L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | t is empty",
        "snapshot,rank,bytes | t has no rows",
        "snapshot,rank,size;0,0,1 | t, line 1: there is no column 'bytes' among [snapshot, rank,"
            + " size]",
        "snapshot,rank,bytes;0,0,1;0,1 | t, line 3: 2 cells under 3 headings",
        "snapshot,rank,bytes;0,0,1;0,1,x | t, line 3: bytes is 'x', not a whole number",
        "snapshot,rank,bytes;0,0,-5 | t, line 2: bytes is -5, not 0 to",
        "snapshot,rank,bytes;0,0,1.5 | t, line 2: bytes is '1.5', not a whole number",
        "snapshot,rank,bytes;0,0,99999999999999999 | t, line 2: bytes is 99999999999999999, not 0"
            + " to",
        "snapshot,rank,bytes;0,100000,1 | t, line 2: rank is 100000, not 0 to 99999",
        "snapshot,rank,bytes;0,0,1;0,0,1 | t, line 3: has rank 0 of snapshot 0 again",
        "snapshot,rank,bytes;0,0,1;0,0,2;1,1,1;1,0,1 | t, line 3: has rank 0 of snapshot 0 again",
        "snapshot,rank,bytes;0,0,1;;0,1,2;0,0,2 | t, line 5: has rank 0 of snapshot 0 again",
        "snapshot,rank,bytes;0,0,1;1,1,1 | t has 2 rows for 2 snapshots of 2 ranks"
      })
  void whatIsMalformedIsNamedByItsLine(String text, String message) {
    assertThatThrownBy(() -> read(text.replace(';', '\n')))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void aLineOfAnyLengthTakesNoMemory() {
    String line = "0,0," + "1".repeat(5000);
    assertThatThrownBy(() -> read("snapshot,rank,bytes\n" + line))
        .hasMessage("t, line 2: longer than 4096 bytes");
  }

  @Test
  void eachRankIsScaledToTheTotal() throws IOException {
    Trace scaled = read("snapshot,rank,bytes\n0,0,1\n1,0,3\n0,1,50\n1,1,50").scaledTo(1000);
    assertThat(scaled.all()).containsExactly(250L, 500L, 750L, 500L);
  }

  @Test
  void aRankThatKeepsNothingCannotBeScaled() throws IOException {
    Trace trace = read("snapshot,rank,bytes\n0,0,1\n0,1,0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> trace.scaledTo(1000))
        .withMessageContaining("rank 1 keeps 0 bytes");
  }

  @Test
  void theShippedTracesAreThere() throws IOException {
    for (String name : Traces.SHIPPED) {
      for (String column : new String[] {"raw_bytes", "bitpack_bytes", "zlib_bytes"}) {
        Trace trace = Traces.read(name, column);
        assertThat(trace.snapshots()).isEqualTo(776);
        assertThat(trace.ranks()).isEqualTo(8);
      }
    }
    assertThatThrownBy(() -> Traces.read("acoustic-wave", "bytes"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("acoustic-wave-slab8");
  }

  @Test
  void whatIsDrawnHasTheHistogramOfTheTraceAndDependsOnTheSeedOnly() throws IOException {
    Trace trace = Traces.read("acoustic-wave-slab8", "zlib_bytes").scaledTo(53e9);
    Histogram histogram = new Histogram(trace);
    Trace drawn = histogram.draw("d", 776, 8, 1);
    assertThat(drawn.all())
        .containsExactly(histogram.draw("d", 776, 8, 1).all().boxed().toArray(Long[]::new));
    assertThat(drawn.all().toArray()).isNotEqualTo(histogram.draw("d", 776, 8, 2).all().toArray());
    assertThat(drawn.all().min().orElseThrow())
        .isGreaterThanOrEqualTo(trace.all().min().orElseThrow());
    assertThat(drawn.all().max().orElseThrow())
        .isLessThanOrEqualTo(trace.all().max().orElseThrow());
    assertThat(drawn.all().average().orElseThrow() / trace.all().average().orElseThrow())
        .isBetween(.95, 1.05);
    assertThat(share(drawn, 160e6) - share(trace, 160e6)).isBetween(-.02, .02);
  }

  @Test
  void sizesThatAreAllTheSameAreDrawnAgain() throws IOException {
    Trace drawn = new Histogram(read("snapshot,rank,bytes\n0,0,7\n0,1,7")).draw("d", 3, 2, 1);
    assertThat(drawn.all()).containsOnly(7L);
  }

  private static double share(Trace trace, double below) {
    return (double) trace.all().filter(bytes -> bytes < below).count() / trace.all().count();
  }

  private static Trace read(String text) throws IOException {
    return TraceReader.read(
        "t", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "bytes");
  }
}
