package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClassArchiveTest {
  /** Otherwise executors, which have the same options, would start slowly and nothing say so. */
  @Test
  void aJvmUsesTheArchive() throws Exception {
    assertThat(ClassArchive.used()).isTrue();
  }
}
