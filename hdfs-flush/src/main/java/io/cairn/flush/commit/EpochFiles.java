package io.cairn.flush.commit;

import io.cairn.core.model.GroupId;
import io.cairn.core.protocol.EpochClaim;
import io.cairn.core.protocol.EpochClaim.Event;
import io.cairn.core.protocol.EpochClaim.State;
import io.cairn.flush.format.Layout;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.Optional;

/**
 * Takes epochs by exclusive creation of files: does with a store what {@link EpochClaim} asks for.
 * Thread-safe.
 */
public final class EpochFiles {
  private static final int MAX_BYTES = 4096;

  private final CheckpointStore store;
  private final Clock clock;

  /** Epochs of groups in this store. */
  public EpochFiles(CheckpointStore store) {
    this(store, Clock.systemUTC());
  }

  /** With the clock that dates the files; nothing is decided by it. */
  public EpochFiles(CheckpointStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * Takes the group's next epoch, higher than every one that was taken before the call, and shared
   * with nobody.
   *
   * @param who written into the file for people; its first line, at most 1000 characters
   * @throws IOException naming store and group, if none could be taken
   */
  public long take(GroupId group, String who) throws IOException {
    EpochClaim claim = EpochClaim.begin();
    while (true) {
      if (claim.state() instanceof State.Listing) {
        claim = claim.on(list(group));
      } else if (claim.state() instanceof State.Creating creating) {
        claim = claim.on(create(group, creating.epoch(), who));
      } else if (claim.state() instanceof State.Taken taken) {
        return taken.epoch();
      } else if (claim.state() instanceof State.GaveUp gaveUp) {
        throw new IOException(
            "no epoch of "
                + group
                + " could be taken in "
                + store.describe()
                + ": "
                + gaveUp.reason());
      }
    }
  }

  /**
   * The newest epoch of the group, 0 if none was taken. Whoever holds a lower one is fenced.
   *
   * @throws IOException if the store cannot be listed
   */
  public long newest(GroupId group) throws IOException {
    long highest = 0;
    for (StoreEntry entry : store.list(Layout.epochs(group))) {
      highest = Math.max(highest, Layout.parseEpoch(entry.name()).orElse(0));
    }
    return highest;
  }

  /**
   * Who took an epoch and when, for people; empty if nobody did.
   *
   * @throws IOException if the file cannot be read
   */
  public Optional<String> holder(GroupId group, long epoch) throws IOException {
    try {
      byte[] text = SmallFile.read(store, Layout.epoch(group, epoch), MAX_BYTES);
      return Optional.of(new String(text, StandardCharsets.UTF_8).strip());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private Event list(GroupId group) {
    try {
      return new Event.Listed(newest(group));
    } catch (IOException e) {
      return new Event.Lost(e.toString());
    }
  }

  private Event create(GroupId group, long epoch, String who) {
    String line = who.lines().findFirst().orElse("unnamed");
    String text = line.substring(0, Math.min(line.length(), 1000)) + "\n" + clock.instant() + "\n";
    try {
      SmallFile.write(store, Layout.epoch(group, epoch), text.getBytes(StandardCharsets.UTF_8));
      return new Event.Created();
    } catch (FileAlreadyExistsException e) {
      return new Event.Exists();
    } catch (IOException e) {
      return new Event.Lost(e.toString());
    }
  }
}
