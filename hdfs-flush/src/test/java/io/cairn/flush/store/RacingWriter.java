package io.cairn.flush.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.Map;

/**
 * One of two processes that want the same names: creates each exclusively, and publishes a file of
 * its own under each. Arguments: store, its number, how many names. It says READY, waits for a
 * line, and then says what it won.
 */
public final class RacingWriter {
  private final CheckpointStore store;
  private final int self;

  private RacingWriter(CheckpointStore store, int self) {
    this.store = store;
    this.self = self;
  }

  /** The bytes that a writer puts into a file. */
  static byte[] content(int writer, int name) {
    return StoreFiles.bytes(1_000_003L * writer + name, 3000);
  }

  /** Runs one process. */
  public static void main(String[] args) throws IOException {
    int names = Integer.parseInt(args[2]);
    try (CheckpointStore store =
        CheckpointStores.open(args[0], EmbeddedHdfs.impatientClient(), Map.of())) {
      RacingWriter writer = new RacingWriter(store, Integer.parseInt(args[1]));
      System.out.println("READY");
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)).readLine();
      for (int name = 0; name < names; name++) {
        writer.create(name);
        writer.publish(name);
      }
      System.out.println("DONE");
    }
  }

  private void create(int name) throws IOException {
    try (StoreOutput out = store.create("created/" + name)) {
      out.write(ByteBuffer.wrap(content(self, name)));
      out.sync();
      System.out.println("created/" + name);
    } catch (FileAlreadyExistsException e) {
      return; // The other one was faster.
    }
  }

  private void publish(int name) throws IOException {
    String own = "published/.tmp-" + self + "-" + name;
    StoreFiles.write(store, own, content(self, name));
    try {
      store.publish(own, "published/" + name);
      System.out.println("published/" + name);
    } catch (FileAlreadyExistsException e) {
      if (!store.delete(own)) {
        throw new IOException(own + " vanished in a refused publication", e);
      }
    }
  }
}
