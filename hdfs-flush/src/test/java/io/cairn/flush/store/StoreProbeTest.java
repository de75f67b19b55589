package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each store here is right but for one thing; the probe must find it and name it. */
class StoreProbeTest {

  @Test
  void refusesAStoreThatCreatesTwice() {
    assertRefused(
        new Other() {
          @Override
          public StoreOutput create(String path) throws IOException {
            store.delete(path);
            return store.create(path);
          }
        },
        "exclusive create");
  }

  @Test
  void refusesAStoreThatPublishesOverAFile() {
    assertRefused(
        new Other() {
          @Override
          public void publish(String from, String to) throws IOException {
            store.delete(to);
            store.publish(from, to);
          }
        },
        "publish-if-absent");
  }

  @Test
  void refusesAStoreWhoseRefusedPublicationDoesHarm() {
    assertRefused(
        new Other() {
          @Override
          public void publish(String from, String to) throws IOException {
            try {
              store.publish(from, to);
            } catch (IOException e) {
              store.delete(from);
              throw e;
            }
          }
        },
        "publish-if-absent");
  }

  @Test
  void refusesAStoreThatCopiesInsteadOfRenaming() {
    assertRefused(
        new Other() {
          @Override
          public void publish(String from, String to) throws IOException {
            StoreFiles.write(store, to, StoreFiles.read(store, from));
          }
        },
        "publish");
  }

  @Test
  void refusesAStoreThatListsLate() {
    assertRefused(
        new Other() {
          @Override
          public List<StoreEntry> list(String directory) {
            return List.of();
          }
        },
        "list");
  }

  @Test
  void refusesAStoreThatForgetsToDelete() {
    assertRefused(
        new Other() {
          @Override
          public boolean deleteDirectory(String directory) {
            return true;
          }
        },
        "delete");
  }

  @Test
  void refusesAStoreThatCannotSync() {
    assertRefused(
        new Other() {
          @Override
          public StoreOutput create(String path) throws IOException {
            return new Unsyncable(store.create(path));
          }
        },
        "sync");
  }

  @Test
  void cleansUpAfterARefusal() throws IOException {
    CrashingStore store = new CrashingStore(1);
    store.failNext(CrashingStore.Call.PUBLISH, CrashingStore.Fault.REFUSED);
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> StoreProbe.require(store));
    assertThat(store.list("")).isEmpty();
    assertThat(store.medium().paths()).isEmpty();
  }

  @Test
  void saysWhatIsWrongWithAPlaceThatLacksNothing() {
    CrashingStore full = new CrashingStore(1);
    full.medium().capacityBytes(0);
    assertRefused(full, "is full");
    CrashingStore readOnly = new CrashingStore(1);
    readOnly.medium().mode(CrashingMedium.Mode.READ_ONLY);
    assertRefused(readOnly, "is read-only");
    CrashingStore gone = new CrashingStore(1);
    gone.medium().mode(CrashingMedium.Mode.GONE);
    assertRefused(gone, "gone");
  }

  private static void assertRefused(CheckpointStore store, String semantic) {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> StoreProbe.require(store))
        .withMessageContainingAll("cannot use store " + store.describe(), semantic)
        .withMessageMatching(
            "(?s).*(use a local directory|choose another store|are in no other store).*");
  }

  /** A correct store, but for what a subclass changes. */
  private static class Other implements CheckpointStore {
    final CrashingStore store = new CrashingStore(1);

    @Override
    public String describe() {
      return store.describe();
    }

    @Override
    public StoreOutput create(String path) throws IOException {
      return store.create(path);
    }

    @Override
    public void publish(String from, String to) throws IOException {
      store.publish(from, to);
    }

    @Override
    public StoreInput open(String path) throws IOException {
      return store.open(path);
    }

    @Override
    public List<StoreEntry> list(String directory) throws IOException {
      return store.list(directory);
    }

    @Override
    public boolean delete(String path) throws IOException {
      return store.delete(path);
    }

    @Override
    public boolean deleteDirectory(String directory) throws IOException {
      return store.deleteDirectory(directory);
    }

    @Override
    public void close() {
      store.close();
    }
  }

  private record Unsyncable(StoreOutput out) implements StoreOutput {
    @Override
    public void write(ByteBuffer bytes) throws IOException {
      out.write(bytes);
    }

    @Override
    public long position() {
      return out.position();
    }

    @Override
    public void sync() {
      throw new UnsupportedOperationException("no sync here");
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
