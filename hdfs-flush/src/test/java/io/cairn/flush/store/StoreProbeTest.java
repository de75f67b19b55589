package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cairn.flush.format.MemoryStore;
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
    Other refusing =
        new Other() {
          @Override
          public void publish(String from, String to) throws IOException {
            throw new IOException("refused");
          }
        };
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> StoreProbe.require(refusing));
    assertThat(refusing.store.files).isEmpty();
  }

  @Test
  void saysWhatIsWrongWithAPlaceThatLacksNothing() {
    assertRefused(failing(new IOException("No space left on device")), "is full");
    assertRefused(failing(new IOException("Read-only file system")), "is read-only");
    assertRefused(failing(new StoreErrors("memory:m").gone()), "gone");
  }

  private static CheckpointStore failing(IOException cause) {
    return new Other() {
      @Override
      public StoreOutput create(String path) throws IOException {
        throw cause;
      }
    };
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
    final MemoryStore store = new MemoryStore("m");

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
