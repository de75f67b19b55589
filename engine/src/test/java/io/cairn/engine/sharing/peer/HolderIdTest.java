package io.cairn.engine.sharing.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.sharing.LeaseId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HolderIdTest {
  @Test
  void aHolderIsWrittenAndReadBack() {
    HolderId id = HolderId.of("3", new PeerAddress("host-1.example", 4040));

    assertThat(HolderId.parse(id.toString())).isEqualTo(id);
    assertThat(HolderId.parse(id.toString()).process()).isEqualTo("3");
    assertThat(HolderId.of("3", id.address())).isNotEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "3/n@host", "3/n@host:", "3/n@host:x", "3/n@host:0", "n@host:1", "@h:1"})
  void aTextThatNamesNoHolderIsRefused(String text) {
    assertThatThrownBy(() -> HolderId.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everyHolderAndLeaseHasAContainerOfItsOwn() {
    CheckpointId checkpoint = new CheckpointId(new GroupId("digits", "wave"), 3, 14);
    LeaseId lease = new LeaseId("a@host:1", 42, checkpoint, 2);
    PeerAddress address = new PeerAddress("host", 7000);

    assertThat(new HolderId("1", "7f0c2d51-38a1", address).container(lease))
        .isEqualTo("writer-r00002-7f0c2d51-42.chunks");
    assertThat(new HolderId("1", "80aa", address).container(lease))
        .isEqualTo("writer-r00002-80aa-42.chunks");
  }
}
