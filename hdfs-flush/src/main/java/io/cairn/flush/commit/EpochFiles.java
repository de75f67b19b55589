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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes epochs by exclusive creation of files: carries out the actions of {@link EpochClaim}
 * against a store. Thread-safe.
 */
public final class EpochFiles {
  private static final Logger LOG = LoggerFactory.getLogger(EpochFiles.class);
  private static final int MAX_BYTES = 4096;

  private final CheckpointStore store;
  private final Clock clock;

  /** Takes epochs in this store. */
  public EpochFiles(CheckpointStore store) {
    this(store, Clock.systemUTC());
  }

  /** Takes epochs in this store; the clock only dates the files. */
  public EpochFiles(CheckpointStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * Takes the group's next epoch. It is higher than every epoch taken before the call, and no other
   * caller gets it.
   *
   * @param holder description of the caller for the file; the first line is written, up to 1000
   *     characters
   * @throws IOException if no epoch could be taken; names store and group
   */
  public long take(GroupId group, String holder) throws IOException {
    EpochClaim claim = EpochClaim.begin();
    while (true) {
      if (claim.state() instanceof State.Listing) {
        claim = claim.on(list(group));
      } else if (claim.state() instanceof State.Creating creating) {
        claim = claim.on(create(group, creating.epoch(), holder));
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
      } else {
        throw new IllegalStateException("unknown state of an epoch claim: " + claim.state());
      }
    }
  }

  /**
   * The newest epoch of the group, 0 if none was taken. Attempts with a lower epoch are fenced.
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
   * The holder of an epoch and the time of its creation, for people; empty if it was not taken.
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
      LOG.debug("epochs of {} could not be listed", group, e);
      return new Event.Lost(e.toString());
    }
  }

  private Event create(GroupId group, long epoch, String holder) {
    String line = holder.lines().findFirst().orElse("unnamed");
    String text = line.substring(0, Math.min(line.length(), 1000)) + "\n" + clock.instant() + "\n";
    try {
      SmallFile.write(store, Layout.epoch(group, epoch), text.getBytes(StandardCharsets.UTF_8));
      return new Event.Created();
    } catch (FileAlreadyExistsException e) {
      return new Event.Exists();
    } catch (IOException e) {
      LOG.debug("the creation of epoch {} of {} has an unknown effect", epoch, group, e);
      return new Event.Lost(e.toString());
    }
  }
}
