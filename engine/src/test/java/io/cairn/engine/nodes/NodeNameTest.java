package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The names by which processes know whether they see the same copies. */
class NodeNameTest {
  @Test
  void processesThatNameOneDirectoryAreAtOneNode() {
    Path worker = Path.of("worker");

    assertThat(NodeName.of("m", worker.resolve("app/0/../../node")))
        .isEqualTo(NodeName.of("m", worker.resolve("app/1/../../node")))
        .isEqualTo("m:" + worker.toAbsolutePath().resolve("node"));
    assertThat(NodeName.of("m", Path.of("node")))
        .isEqualTo("m:" + Path.of("node").toAbsolutePath());
  }

  @Test
  void aNameTellsItsMachine() {
    assertThat(NodeName.machine(NodeName.of("m", Path.of("node")))).isEqualTo("m");
    assertThat(NodeName.machine(NodeName.of("fd00::7", Path.of("node")))).isEqualTo("fd00::7");
    assertThat(NodeName.machine("")).isEmpty();
  }
}
