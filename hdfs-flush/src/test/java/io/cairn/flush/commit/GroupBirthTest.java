package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.GroupId;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupBirthTest {
  private static final GroupId GROUP = Written.GROUP;
  private static final String FILE = "job/group/birth";
  private static final String OTHER = "00000000-0000-4000-8000-000000000000";

  private final MemoryStore store = new MemoryStore("m");

  @Test
  void aGroupKeepsItsBirthAndAnotherGroupHasAnother() throws IOException {
    String birth = GroupBirth.of(store, GROUP);

    assertThat(GroupBirth.of(store, GROUP)).isEqualTo(birth);
    assertThat(GroupBirth.of(store, new GroupId("job", "other"))).isNotEqualTo(birth);
    assertThat(store.files).containsKey(FILE);
  }

  @Test
  void aGroupWhoseDirectoryIsDeletedIsBornAgain() throws IOException {
    String birth = GroupBirth.of(store, GROUP);
    new EpochFiles(store).take(GROUP, 0, "me");

    store.files.keySet().removeIf(path -> path.startsWith("job/group/"));

    assertThat(GroupBirth.find(store, GROUP)).isEmpty();
    assertThat(GroupBirth.of(store, GROUP)).isNotEqualTo(birth);
  }

  @Test
  void aLostFileIsWrittenAgainAsTheEpochFilesNameTheBirth() throws IOException {
    new EpochFiles(store).take(GROUP, 0, "me");
    new EpochFiles(store).take(GROUP, 0, "me");
    String birth = GroupBirth.of(store, GROUP);

    store.files.remove(FILE);
    store.files.put("job/group/epochs/000003", new byte[0]);

    assertThat(GroupBirth.find(store, GROUP)).hasValue(birth);
    assertThat(store.files).doesNotContainKey(FILE);
    assertThat(GroupBirth.of(store, GROUP)).isEqualTo(birth);
    assertThat(store.files).containsKey(FILE);
  }

  @Test
  void anEpochFileThatCannotBeReadHidesNoBirthThatAnotherNames() throws IOException {
    new EpochFiles(store).take(GROUP, 0, "me");
    new EpochFiles(store).take(GROUP, 0, "me");
    String birth = GroupBirth.of(store, GROUP);
    store.files.remove(FILE);

    assertThat(GroupBirth.of(Unreadable.file(store, "job/group/epochs/000002"), GROUP))
        .isEqualTo(birth);
  }

  @Test
  void aGroupIsNotBornAgainWhileItsEpochFileCannotBeRead() throws IOException {
    new EpochFiles(store).take(GROUP, 0, "me");
    store.files.remove(FILE);

    assertThatThrownBy(
            () -> GroupBirth.of(Unreadable.file(store, "job/group/epochs/000001"), GROUP))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("could not obtain block");
    assertThat(store.files).doesNotContainKey(FILE);
  }

  /** An empty file is what a full disk or a crash leaves. */
  @ParameterizedTest
  @ValueSource(strings = {"", "../elsewhere\n", "01234567-89ab"})
  void aDamagedFileIsWrittenAgainAsTheEpochFilesNameTheBirth(String damage) throws IOException {
    new EpochFiles(store).take(GROUP, 0, "me");
    String birth = GroupBirth.of(store, GROUP);
    damage(damage);

    assertThat(GroupBirth.find(store, GROUP)).hasValue(birth);
    assertThat(GroupBirth.of(store, GROUP, () -> List.of(OTHER))).isEqualTo(birth);
    assertThat(store.files.get(FILE)).asString(StandardCharsets.US_ASCII).isEqualTo(birth + "\n");
    assertThat(store.files).hasSize(2);
  }

  @Test
  void aDamagedFileIsWrittenAgainAsANodeNamesTheBirth() throws IOException {
    damage("");

    assertThat(GroupBirth.of(store, GROUP, () -> List.of(OTHER))).isEqualTo(OTHER);
    assertThat(GroupBirth.of(store, GROUP)).isEqualTo(OTHER);
  }

  @Test
  void aDamagedFileThatNothingExplainsBlocksNoGroup() throws IOException {
    damage("");

    String birth = GroupBirth.of(store, GROUP);

    assertThat(GroupBirth.of(store, GROUP)).isEqualTo(birth);
  }

  /** A wrong choice would restore the copies of another life. */
  @Test
  void ofSeveralBirthsAtANodeNoneIsChosen() {
    damage("");

    assertThatThrownBy(
            () -> GroupBirth.of(store, GROUP, () -> List.of(OTHER, OTHER.replace('0', '1'))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(FILE)
        .hasMessageContaining(OTHER);
  }

  private void damage(String text) {
    store.files.put(FILE, text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void aBirthWhosePublicationLostItsReplyIsFoundOrNoneIs() throws IOException {
    for (int number = 0; number < 8; number++) {
      for (FaultyStore.Fault fault : FaultyStore.Fault.values()) {
        store.files.clear();
        FaultyStore faulty = new FaultyStore(store).fault(number, fault);
        String first = "";
        try {
          first = GroupBirth.of(faulty, GROUP);
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("scripted");
        }
        faulty.applyLate();

        String second = GroupBirth.of(store, GROUP);

        assertThat(first).as(number + " " + fault).isIn("", second);
      }
    }
  }
}
