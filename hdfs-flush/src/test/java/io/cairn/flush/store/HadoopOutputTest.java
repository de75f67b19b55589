package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.junit.jupiter.api.Test;

/** Whether bytes at HDFS are on disk, and not only in the memory of datanodes, after a sync. */
class HadoopOutputTest {
  private static final String FLUSHED = "hflush";

  private final List<String> calls = new ArrayList<>();

  /** A stream with some capabilities that remembers how it was flushed. */
  private final class Recorded extends OutputStream implements Syncable, StreamCapabilities {
    private final List<String> capabilities;

    Recorded(String... capabilities) {
      this.capabilities = List.of(capabilities);
    }

    @Override
    public void write(int b) {}

    @Override
    public void hflush() {
      calls.add(FLUSHED);
    }

    @Override
    public void hsync() {
      calls.add("hsync");
    }

    @Override
    public boolean hasCapability(String capability) {
      return capabilities.contains(capability);
    }
  }

  private HadoopOutput output(String... capabilities) throws IOException {
    FSDataOutputStream out = new FSDataOutputStream(new Recorded(capabilities), null);
    return new HadoopOutput(out, "file", new StoreErrors("store"));
  }

  @Test
  void aSyncReachesTheDisks() throws IOException {
    output(FLUSHED, StreamCapabilities.HSYNC).sync();

    assertThat(calls).containsExactly("hsync");
  }

  @Test
  void aStreamThatCannotReachTheDisksIsRejected() throws IOException {
    HadoopOutput out = output(FLUSHED);

    assertThatThrownBy(out::sync).hasMessageContaining("cannot sync store/file");
    assertThat(calls).isEmpty();
  }
}
