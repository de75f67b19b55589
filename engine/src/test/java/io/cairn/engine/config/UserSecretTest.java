package io.cairn.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserSecretTest {
  private static final String SETTING = "secret";

  @TempDir Path home;

  private Path file = Path.of("");

  @BeforeEach
  void place() {
    file = home.resolve(".cairn/secret");
  }

  @Test
  void theFirstProcessMakesASecretThatTheOthersFind() throws IOException {
    String made = UserSecret.find(file);

    assertThat(made).hasSize(64);
    assertThat(UserSecret.find(file)).isEqualTo(made);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(UserSecret.find(home.resolve("other/.cairn/secret"))).isNotEqualTo(made);
  }

  @Test
  void processesThatBeginAtOnceAgree() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<String>> found = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        found.add(threads.submit(() -> UserSecret.find(file)));
      }
      String first = found.get(0).get();
      for (Future<String> one : found) {
        assertThat(one.get()).isEqualTo(first);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aSecretThatOthersCanReadIsNone() throws IOException {
    UserSecret.find(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> UserSecret.find(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("make it rw-------");
  }

  /** As on a home that is read-only, where neither a lock nor another file can be had. */
  @Test
  void aSecretThatWasMadeIsReadWithoutAWrite() throws IOException {
    String made = UserSecret.find(file);
    FileTime before = FileTime.fromMillis(1000);
    Files.setLastModifiedTime(file.getParent(), before);

    try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = other.lock()) {
      assertThat(UserSecret.find(file)).isEqualTo(made);
      assertThat(lock.isValid()).isTrue();
    }
    assertThat(Files.getLastModifiedTime(file.getParent())).isEqualTo(before);
  }

  @Test
  void aUserWithoutAHomeIsToldTheSetting() {
    assertThatThrownBy(() -> UserSecret.find(Optional.empty()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(SETTING)
        .hasMessageContaining("HOME");
  }

  @Test
  void aLinkIsNotFollowed() throws IOException {
    Path victim = Files.writeString(home.resolve("victim"), "not a secret");
    Files.createDirectory(
        file.getParent(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.createSymbolicLink(file, victim);

    assertThatThrownBy(() -> UserSecret.find(file)).isInstanceOf(IOException.class);
    assertThat(victim).hasContent("not a secret");
  }

  @Test
  void aFileThatIsNoSecretIsRefused() throws IOException {
    UserSecret.find(file);
    Files.writeString(file, "short");

    assertThatThrownBy(() -> UserSecret.find(file)).hasMessageContaining("it has 5 bytes");
  }
}
