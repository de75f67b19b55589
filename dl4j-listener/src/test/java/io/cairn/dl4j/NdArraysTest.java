package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.Region;
import io.cairn.RestoreException;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** Arrays of a program's own loop are captured and restored in place, or refused by name. */
class NdArraysTest {
  @TempDir Path directory;

  private CairnEngine open() throws IOException {
    return CairnEngine.open(
        CairnConfig.of(
            Map.of(
                "store", directory.resolve("store").toString(),
                "node.dir", directory.resolve("node").toString(),
                "device.dir", directory.resolve("device").toString(),
                "device.cacheSize", "1m",
                "chunkSize", "4k")));
  }

  private static INDArray counting(long... shape) {
    long length = 1;
    for (long size : shape) {
      length *= size;
    }
    return Nd4j.arange((double) length).reshape('c', shape).dup('c');
  }

  private static void protect(Checkpointer checkpointer, Map<String, INDArray> arrays) {
    arrays.forEach((name, array) -> checkpointer.protect(NdArrays.region(name, array)));
  }

  /** A matrix in both orders, rows of a larger one, and a scalar. */
  private static Map<String, INDArray> arrays(INDArray whole) {
    Map<String, INDArray> arrays = new LinkedHashMap<>();
    arrays.put("c-order", counting(30, 70));
    arrays.put("f-order", counting(30, 70).dup('f'));
    arrays.put("rows", whole.get(NDArrayIndex.interval(5, 9), NDArrayIndex.all()));
    arrays.put("transposed", counting(6, 8).transpose());
    arrays.put("scalar", Nd4j.scalar(3.5));
    return arrays;
  }

  @Test
  void arraysAreRestoredInPlaceInAnotherProcess() throws Exception {
    INDArray whole = counting(20, 50);
    Map<String, INDArray> saved = arrays(whole);
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("loop")) {
      protect(checkpointer, saved);
      saved.values().forEach(array -> array.muli(2).addi(1));
      checkpointer.checkpoint(0).captured().join();
    }
    INDArray other = counting(20, 50);
    INDArray rest = other.dup();
    Map<String, INDArray> restored = arrays(other);

    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("loop")) {
      protect(checkpointer, restored);
      assertThat(checkpointer.restore()).isPresent();
    }

    assertThat(restored).isEqualTo(saved);
    // the region covers the rows alone
    assertThat(other.getRow(4)).isEqualTo(rest.getRow(4));
    assertThat(other.getRow(5)).isEqualTo(whole.getRow(5)).isNotEqualTo(rest.getRow(5));
    assertThat(other.getRow(9)).isEqualTo(rest.getRow(9));
  }

  /** The same arrays as one region: a slot for all, not one for each. */
  @Test
  void gatheredArraysAreRestoredInPlace() throws Exception {
    INDArray whole = counting(20, 50);
    Map<String, INDArray> saved = arrays(whole);
    Map<String, INDArray> before = new LinkedHashMap<>();
    saved.forEach((name, array) -> before.put(name, array.dup(array.ordering())));
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("loop")) {
      checkpointer.protect(NdArrays.gather("layers", List.copyOf(saved.values())));
      checkpointer.checkpoint(0).captured().join();
      saved.values().forEach(array -> array.muli(2).addi(1));

      assertThat(checkpointer.restore()).isPresent();
    }

    assertThat(saved).isEqualTo(before);
    assertThatThrownBy(() -> NdArrays.gather("layers", List.of(counting(2), Nd4j.empty())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("array 1 of 2: region layers: the array is empty");
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"BOOL", "BYTE", "UBYTE", "SHORT", "INT", "LONG", "HALF", "BFLOAT16", "DOUBLE"})
  void everyTypeOfFixedLengthIsRestored(DataType type) throws Exception {
    INDArray array = counting(7, 9).castTo(type);
    INDArray before = array.dup();
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("loop")) {
      Region.Address region = (Region.Address) NdArrays.region("array", array);
      assertThat(region.bytes()).isEqualTo(63L * type.width());
      checkpointer.protect(region);
      checkpointer.checkpoint(0).captured().join();
      array.assign(0);

      assertThat(checkpointer.restore()).isPresent();
    }
    assertThat(array).isEqualTo(before);
  }

  /** The same number of bytes, whose meaning differs. */
  @Test
  void anotherTypeShapeOrOrderIsRefused() throws Exception {
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("loop")) {
      checkpointer.protect(NdArrays.region("weights", counting(3, 4)));
      checkpointer.checkpoint(0).captured().join();
    }
    for (INDArray other :
        new INDArray[] {
          counting(3, 4).dup('f'), counting(4, 3), counting(3, 4).castTo(DataType.UINT32)
        }) {
      try (CairnEngine cairn = open();
          Checkpointer checkpointer = cairn.join("loop")) {
        checkpointer.protect(NdArrays.region("weights", other));
        assertThatThrownBy(checkpointer::restore)
            .isInstanceOf(RestoreException.class)
            .hasMessageContaining("region.weights is float[3, 4] there");
      }
    }
  }

  @Test
  void whatCannotBeCapturedIsRefusedByNameWithARemedy() {
    INDArray column = counting(5, 6).getColumn(2);
    INDArray strings = Nd4j.create("a", "bc");

    assertThatThrownBy(() -> NdArrays.region("column", column))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("region column")
        .hasMessageContaining("dup()");
    assertThatThrownBy(() -> NdArrays.region("strings", strings))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UTF8")
        .hasMessageContaining("blob");
    assertThatThrownBy(() -> NdArrays.region("none", Nd4j.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("empty");
    try (MemoryWorkspace scope = Nd4j.getWorkspaceManager().getAndActivateWorkspace("steps")) {
      INDArray attached = Nd4j.create(3);
      assertThat(scope.isScopeActive()).isTrue();
      assertThatThrownBy(() -> NdArrays.region("attached", attached))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("detach()");
    }
    assertThat(NdArrays.region("copy", column.dup()).name()).isEqualTo("copy");
  }
}
