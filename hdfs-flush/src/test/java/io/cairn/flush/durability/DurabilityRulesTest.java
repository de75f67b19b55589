package io.cairn.flush.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.flush.durability.FileCall.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules notice each order of calls that a loss of power can break. */
class DurabilityRulesTest {
  private final FileCalls calls = new FileCalls();

  private void written(String path, Kind... then) {
    calls.add(Kind.CREATE, path);
    calls.add(Kind.FORCE, "/d");
    calls.add(Kind.WRITE, path);
    for (Kind kind : then) {
      calls.add(kind, path);
    }
  }

  private List<String> onDisk() {
    return DurabilityRules.brokenOnDisk(calls.all());
  }

  private List<String> onServer() {
    return DurabilityRules.brokenOnServer(calls.all());
  }

  @Test
  void theSafeOrderBreaksNothing() {
    written("/d/.tmp", Kind.FORCE, Kind.CLOSE);
    calls.addName("/d/.tmp", "/d/MANIFEST");
    calls.add(Kind.FORCE, "/d");
    calls.add(Kind.REMOVE, "/d/.tmp");
    calls.addReport("commit");

    assertThat(onDisk()).isEmpty();
    assertThat(onServer()).isEmpty();
  }

  @Test
  void aNameBeforeItsContentsIsNoticed() {
    written("/d/.tmp");
    calls.addName("/d/.tmp", "/d/MANIFEST");

    assertThat(onDisk()).singleElement().asString().contains("NAME /d/.tmp", "not durable");
  }

  @Test
  void aManifestBeforeItsContainersIsNoticed() {
    written("/d/container");
    written("/d/.tmp", Kind.FORCE);
    calls.addName("/d/.tmp", "/d/MANIFEST");

    assertThat(onDisk()).singleElement().asString().contains("[/d/container]");
    assertThat(onServer()).singleElement().asString().contains("[/d/container]");
  }

  @Test
  void anOldNameThatGoesBeforeTheNewOneIsDurableIsNoticed() {
    written("/d/.tmp", Kind.FORCE);
    calls.addName("/d/.tmp", "/d/MANIFEST");
    calls.add(Kind.REMOVE, "/d/.tmp");

    assertThat(onDisk()).singleElement().asString().contains("REMOVE", "[/d/MANIFEST]");
  }

  @Test
  void aReportBeforeTheDirectoryIsForcedIsNoticed() {
    calls.add(Kind.CREATE_DIRECTORY, "/d/new");
    calls.addReport("open");

    assertThat(onDisk()).singleElement().asString().contains("[/d/new]");
    assertThat(onServer()).isEmpty();
  }

  @Test
  void aFlushIsNoSync() {
    written("/d/.tmp", Kind.FLUSH, Kind.CLOSE);

    assertThat(onServer()).singleElement().asString().contains("CLOSE /d/.tmp", "not forced");
  }
}
