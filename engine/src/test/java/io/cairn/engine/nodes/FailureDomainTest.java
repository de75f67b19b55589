package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.engine.config.PeerDomain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FailureDomainTest {
  @TempDir private Path directory;

  private PeerDomain map(String text) throws IOException {
    return new PeerDomain.Listed(Files.writeString(directory.resolve("racks"), text));
  }

  private Path program(String body) throws IOException {
    Path file = Files.writeString(directory.resolve("rack.sh"), "#!/bin/sh\n" + body + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private static String of(PeerDomain source, String host) throws IOException {
    return FailureDomain.of(source, host, host + ":/node");
  }

  @Test
  void aHostOrANodeDirectoryIsADomainOfItsOwn() throws IOException {
    assertThat(of(new PeerDomain.Host(), "gpu7")).isEqualTo("gpu7");
    assertThat(of(new PeerDomain.Node(), "gpu7")).isEqualTo("gpu7:/node");
  }

  @Test
  void aFileGivesTheDomainOfEachHost() throws IOException {
    PeerDomain map = map("# racks\n\ngpu6\t/room1/rack1\n  gpu7   /room1/rack2\ngpu77 /room2\n");

    assertThat(of(map, "gpu6")).isEqualTo("/room1/rack1");
    assertThat(of(map, "gpu7")).isEqualTo("/room1/rack2");
    assertThat(of(map, "gpu77")).isEqualTo("/room2");
  }

  @Test
  void aHostThatTheFileLacksHasNoDomain() throws IOException {
    PeerDomain map = map("gpu6 /room1/rack1\n#gpu7 /room1\n");

    assertThatThrownBy(() -> of(map, "gpu7"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("racks has no line for host gpu7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gpu7", "gpu7 /room1 /room2", "gpu7 /r\u00e4ume"})
  void aLineIsAHostAndOneWord(String line) throws IOException {
    PeerDomain map = map(line + "\n");

    assertThatThrownBy(() -> of(map, "gpu7"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("give one word");
  }

  @Test
  void aProgramPrintsTheDomainOfTheHost() throws IOException {
    assertThat(of(new PeerDomain.Asked(program("echo \"/rack-of-$1-$#\"")), "gpu7"))
        .isEqualTo("/rack-of-gpu7-1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"echo", "echo a b", "echo one; echo two", "head -c 300 /dev/zero | tr '\\0' x"})
  void aProgramPrintsOneWord(String body) throws IOException {
    PeerDomain source = new PeerDomain.Asked(program(body));

    assertThatThrownBy(() -> of(source, "gpu7"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rack.sh gives host gpu7 the failure domain")
        .hasMessageContaining("give one word");
  }

  @Test
  void aProgramThatFailsGivesNoDomain() throws IOException {
    PeerDomain source = new PeerDomain.Asked(program("echo no such table; exit 3"));

    assertThatThrownBy(() -> of(source, "gpu7"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rack.sh gpu7 ended with 3: no such table");
  }

  @Test
  void aProgramThatDoesNotEndIsGivenUp() throws IOException {
    Path program = program("exec sleep 600");

    assertThatThrownBy(() -> FailureDomain.asked(program, "gpu7", Duration.ofSeconds(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not end within PT1S");
  }

  @Test
  void anAbsentFileOrProgramGivesNoDomain() {
    Path absent = directory.resolve("absent");

    assertThatThrownBy(() -> of(new PeerDomain.Listed(absent), "gpu7"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("absent");
    assertThatThrownBy(() -> of(new PeerDomain.Asked(absent), "gpu7"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("absent");
  }
}
