package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import io.cairn.Region;
import io.cairn.RestoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An array that the program replaces by a longer or a shorter one between checkpoints. */
@Timeout(60)
class ResizableRegionTest {
  @TempDir Path root;

  /** Each step appends its iteration some hundred times; the capacity is the length. */
  private static final class Growing {
    private double[] values = new double[0];

    void protectBy(Checkpointer checkpointer) {
      checkpointer.protect(Region.resizable("values", () -> values, this::resize));
    }

    private void resize(long bytes) {
      values = new double[Math.toIntExact(bytes / Double.BYTES)];
    }

    void step(long iteration) {
      int before = values.length;
      values = Arrays.copyOf(values, before + 300);
      Arrays.fill(values, before, values.length, (double) iteration);
    }

    static double[] after(long iterations) {
      Growing growing = new Growing();
      for (long i = 0; i < iterations; i++) {
        growing.step(i);
      }
      return growing.values;
    }

    void run(Checkpointer checkpointer, long from, long to) {
      for (long i = from; i < to; i++) {
        step(i);
        checkpointer.checkpoint(i).captured().join();
      }
    }
  }

  @Test
  void aRestoreGivesTheSavedLengthBeforeTheBytes() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      Growing growing = new Growing();
      growing.protectBy(checkpointer);
      growing.run(checkpointer, 0, 7);

      assertThat(checkpointer.restoreBefore(3)).isPresent();

      assertThat(growing.values).isEqualTo(Growing.after(3));
      growing.run(checkpointer, 3, 9);
    }
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      Growing growing = new Growing();
      growing.protectBy(checkpointer);
      assertThat(checkpointer.restore()).isPresent();
      assertThat(growing.values).isEqualTo(Growing.after(9));
    }
  }

  @Test
  void aLoadReadsItIntoAnArrayOfItsLength() throws Exception {
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = cairn.join("run")) {
      Growing growing = new Growing();
      growing.protectBy(checkpointer);
      growing.run(checkpointer, 0, 4);
      CheckpointId second = checkpointer.checkpoints().get(2).id();
      double[] then = new double[600];

      assertThat(checkpointer.load(second, Region.of("values", then))).isPresent();

      assertThat(then).isEqualTo(Growing.after(2));
    }
  }

  @Test
  void aResizeToAnotherLengthThanSavedIsRefused() throws Exception {
    Places places = new Places(root);
    save(places);
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      double[] fixed = new double[5];
      checkpointer.protect(Region.resizable("values", () -> fixed, bytes -> {}));

      assertThatThrownBy(checkpointer::restore)
          .hasMessageContaining("region values has 40 bytes after it was resized to 7200");
    }
  }

  @Test
  void aFixedRegionKeepsItsLengthAndElements() throws Exception {
    Places places = new Places(root);
    save(places);
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      checkpointer.protect(Region.of("values", new double[5]));
      assertThatThrownBy(checkpointer::restore)
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("7200 bytes there and 40 bytes here");
    }
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      checkpointer.protect(Region.resizable("values", () -> new float[3], bytes -> {}));
      assertThatThrownBy(checkpointer::restore)
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("region.values is double[] there and float[] here");
    }
  }

  private static void save(Places places) throws IOException {
    try (CairnEngine cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      Growing growing = new Growing();
      growing.protectBy(checkpointer);
      growing.run(checkpointer, 0, 3);
    }
  }

  @Test
  void anotherKindOfMemoryIsRefusedAtTheCheckpoint() throws Exception {
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = cairn.join("run")) {
      Object[] memory = {new double[3]};
      checkpointer.protect(Region.resizable("values", () -> memory[0], bytes -> {}));
      memory[0] = new float[3];

      assertThatThrownBy(() -> checkpointer.checkpoint(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("protected as double[] and is float[] now");
    }
  }
}
