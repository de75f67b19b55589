package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.GroupId;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreRefusedException;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoreIdentityTest {
  @Test
  void staysTheSameAndDiffersBetweenStores() throws IOException {
    MemoryStore store = new MemoryStore("one");
    String name = StoreIdentity.of(store);
    assertThat(StoreIdentity.of(store)).isEqualTo(name);
    assertThat(StoreIdentity.of(new MemoryStore("two"))).isNotEqualTo(name);
    assertThat(store.files).containsOnlyKeys(StoreIdentity.FILE);
  }

  @Test
  void racingCallersGetTheSame() {
    MemoryStore store = new MemoryStore("raced");
    Set<String> names = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 16).parallel().forEach(i -> names.add(name(store)));
    assertThat(names).hasSize(1);
    assertThat(store.files).containsOnlyKeys(StoreIdentity.FILE);
  }

  private static String name(MemoryStore store) {
    try {
      return StoreIdentity.of(store);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** One root for a team: the first user's files can be read by nobody else. */
  @Test
  void aStoreOfAnotherUserIsNamedAsSuch() {
    CheckpointStore denied =
        (CheckpointStore)
            Proxy.newProxyInstance(
                StoreIdentityTest.class.getClassLoader(),
                new Class<?>[] {CheckpointStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("describe")) {
                    return "/team";
                  }
                  throw new IOException("cannot open", new AccessDeniedException("/team/x"));
                });
    assertThatThrownBy(() -> StoreIdentity.of(denied))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("/team is the store of another user")
        .hasMessageContaining("a store of its own")
        .isInstanceOf(StoreRefusedException.class);
  }

  @Test
  void refusesAFileThatIsNotAName() {
    MemoryStore store = new MemoryStore("hostile");
    store.files.put(StoreIdentity.FILE, "../elsewhere".getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(() -> StoreIdentity.read(store))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(StoreIdentity.FILE);
  }

  @Test
  void aLostOrDamagedNameIsGivenAgainAndAGoodOneStays() throws IOException {
    MemoryStore store = new MemoryStore("damaged");
    assertThat(StoreIdentity.give(store, "first")).isEqualTo("first");
    assertThat(StoreIdentity.give(store, "second")).isEqualTo("first");

    store.files.put(StoreIdentity.FILE, new byte[0]);

    assertThat(StoreIdentity.give(store, "first")).isEqualTo("first");
    assertThat(store.files).containsOnlyKeys(StoreIdentity.FILE);
  }

  @Test
  void aLostNameIsThatOfTheEpochFiles() throws IOException {
    MemoryStore store = new MemoryStore("lost");
    String name = StoreIdentity.of(store);
    long unused = new EpochFiles(store).take(Written.GROUP, 0, "me", Optional.of(name));

    store.files.put(StoreIdentity.FILE, new byte[0]);
    assertThat(StoreIdentity.of(store)).isEqualTo(name);
    store.files.remove(StoreIdentity.FILE);
    assertThat(StoreIdentity.of(store)).isEqualTo(name);
  }

  /** Another name would end the commits of each training that runs. */
  @Test
  void aStoreWithAGroupGetsNoNewName() throws IOException {
    MemoryStore store = new MemoryStore("used");
    store.files.put(StoreIdentity.FILE, new byte[0]);
    long unused = new EpochFiles(store).take(Written.GROUP, 0, "me");

    assertThatThrownBy(() -> StoreIdentity.of(store))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("memory:used/" + StoreIdentity.FILE)
        .hasMessageContaining("start a job on a machine that has copies");
    assertThat(store.files.get(StoreIdentity.FILE)).isEmpty();
  }

  @Test
  void aStoreWithSeveralNamesIsRefused() throws IOException {
    MemoryStore store = new MemoryStore("several");
    long one = new EpochFiles(store).take(Written.GROUP, 0, "me", Optional.of("name-a"));
    long other =
        new EpochFiles(store).take(new GroupId("job", "other"), 0, "me", Optional.of("name-b"));

    assertThat(one).isEqualTo(other);
    assertThatThrownBy(() -> StoreIdentity.of(store)).hasMessageContaining("[name-a, name-b]");
  }

  @Test
  void aDamagedNameIsThatOfTheOtherProcess() throws IOException {
    MemoryStore shared = new MemoryStore("shared");
    String name = StoreIdentity.of(shared);
    shared.files.put(StoreIdentity.FILE, new byte[0]);

    StoreIdentity.require(shared, name, true);

    assertThat(StoreIdentity.read(shared)).isEqualTo(name);
  }

  @Test
  void anotherStoreAtTheSamePlaceIsRefusedAndGetsNoName() throws IOException {
    MemoryStore shared = new MemoryStore("shared");
    String name = StoreIdentity.of(shared);
    MemoryStore unmounted = new MemoryStore("unmounted");
    MemoryStore other = new MemoryStore("other");
    StoreIdentity.of(other);

    StoreIdentity.require(shared, name, true);

    assertThatThrownBy(() -> StoreIdentity.require(unmounted, name, true))
        .hasMessageContaining("memory:unmounted")
        .hasMessageContaining("mount its file system again")
        .satisfies(away -> assertThat(StoreRefusedException.isIn(away)).isFalse());
    assertThatThrownBy(() -> StoreIdentity.require(unmounted, name, false))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining("mount the same directory on every machine");
    assertThatThrownBy(() -> StoreIdentity.require(other, name, true))
        .hasMessageContaining("another");
    assertThat(unmounted.files).isEmpty();
  }

  /** A bad block makes no other store. */
  @Test
  void aNameThatCannotBeReadIsThatOfTheEpochFiles() throws IOException {
    MemoryStore shared = new MemoryStore("shared");
    String name = StoreIdentity.of(shared);
    CheckpointStore unreadable = Unreadable.file(shared, StoreIdentity.FILE);
    assertThatThrownBy(() -> StoreIdentity.require(unreadable, name, true))
        .hasMessageContaining("could not obtain block");

    long unused = new EpochFiles(shared).take(Written.GROUP, 0, "me", Optional.of(name));

    StoreIdentity.require(unreadable, name, true);
    assertThatThrownBy(() -> StoreIdentity.require(unreadable, "another-name", true))
        .hasMessageContaining("another one");
  }
}
