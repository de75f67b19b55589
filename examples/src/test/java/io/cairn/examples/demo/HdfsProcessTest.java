package io.cairn.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HdfsProcessTest {
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/a/b");

  @TempDir Path directory;

  @Test
  void itKeepsTwoCopiesOfWhatWasSyncedAndServesThemAgainAfterARestart() throws Exception {
    ProcessHandle first;
    try (HdfsProcess hdfs = HdfsProcess.start(directory)) {
      first = ProcessHandle.of(hdfs.pid()).orElseThrow();
      assertThat(hdfs.pid()).isNotEqualTo(ProcessHandle.current().pid());
      assertThat(hdfs.uri()).startsWith("hdfs://");
      write(hdfs.uri());
    }
    first.onExit().get(10, TimeUnit.SECONDS);
    assertThat(first.isAlive()).isFalse();
    try (HdfsProcess hdfs = HdfsProcess.start(directory)) {
      assertThat(read(hdfs.uri())).isEqualTo("synced");
    }
    assertThat(directory.resolve("hdfs.log")).content().contains("NameNode");
  }

  @Test
  void aDirectoryThatIsAFileIsRefused() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> HdfsProcess.start(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
  }

  private static void write(String uri) throws IOException {
    try (FileSystem files = connect(uri);
        FSDataOutputStream out = files.create(FILE)) {
      out.write("synced".getBytes(UTF_8));
      out.hsync();
      assertThat(files.getFileStatus(FILE).getReplication()).isEqualTo((short) 2);
    }
  }

  private static String read(String uri) throws IOException {
    try (FileSystem files = connect(uri);
        FSDataInputStream in = files.open(FILE)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private static FileSystem connect(String uri) throws IOException {
    Configuration configuration = new Configuration();
    configuration.setInt("dfs.replication", HdfsProcess.REPLICATION);
    return FileSystem.newInstance(URI.create(uri), configuration);
  }
}
