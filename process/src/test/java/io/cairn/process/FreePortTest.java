package io.cairn.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class FreePortTest {
  /** Or a connection of any process has it before the child that shall listen there. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void theSystemGivesItToNoConnection() throws IOException {
    // by lines, since the kernel gives this file to one read alone
    String range = Files.readAllLines(Path.of("/proc/sys/net/ipv4/ip_local_port_range")).get(0);
    int first = Integer.parseInt(range.split("\\s", -1)[0]);

    assertThat(FreePort.find()).isLessThan(first);
  }

  @Test
  void noPortIsGivenTwice() throws IOException {
    Set<Integer> found = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      found.add(FreePort.find());
    }
    assertThat(found).hasSize(1_000);
  }
}
