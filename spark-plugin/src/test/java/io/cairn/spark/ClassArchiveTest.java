package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClassArchiveTest {
  /** Otherwise executors would start slowly, and nothing would say so. */
  @Test
  void executorsUseTheArchive() throws Exception {
    assertThat(ClassArchive.used()).isTrue();
  }
}
