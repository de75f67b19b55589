package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.protocol.EpochClaim;
import io.cairn.core.protocol.EpochClaim.Event;
import io.cairn.core.protocol.EpochClaim.State;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreOutput;
import io.cairn.flush.store.StoreRefusedException;
import io.cairn.internal.PathSegment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes epochs by exclusive creation of files: carries out the actions of {@link EpochClaim}
 * against a store. Thread-safe.
 */
public final class EpochFiles {
  private static final Logger LOG = LoggerFactory.getLogger(EpochFiles.class);
  private static final int MAX_BYTES = 4096;

  /** Begins the line of an epoch file that names the group's birth. */
  private static final String BIRTH = "birth ";

  /** Begins the line of an epoch file that names the store. */
  private static final String STORE = "store ";

  /** Begins the line of an epoch file that names the one who made it, among its other tries. */
  private static final String ATTEMPT = "attempt ";

  /** Epoch files that are read to find the store's name. */
  private static final int MOST_READ = 16;

  private final CheckpointStore store;
  private final Clock clock;

  /** In the files that this writes, so that it knows them again after a lost reply. */
  private final String attempt = ATTEMPT + UUID.randomUUID();

  /** Epochs that were reported as nobody's. */
  private final Set<Long> setAside = ConcurrentHashMap.newKeySet();

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
   * Takes the group's next epoch. It is higher than every epoch taken before the call, and than
   * that of every checkpoint in the store. No other caller gets it.
   *
   * @param above the epoch exceeds this one, too; the trace of an epoch whose file was lost
   * @param holder description of the caller for the file; the first line is written, up to 1000
   *     characters
   * @throws IOException if no epoch could be taken; names store and group
   */
  public long take(GroupId group, long above, String holder) throws IOException {
    return take(group, above, holder, Optional.empty());
  }

  /**
   * Like the other.
   *
   * @param storeName the name of the store, which the file repeats
   */
  public long take(GroupId group, long above, String holder, Optional<String> storeName)
      throws IOException {
    String facts = facts(group, storeName);
    EpochClaim claim = EpochClaim.begin();
    while (true) {
      if (claim.state() instanceof State.Listing) {
        claim = claim.on(list(group, above));
      } else if (claim.state() instanceof State.Creating creating) {
        claim = claim.on(create(group, creating.epoch(), holder, facts));
      } else if (claim.state() instanceof State.Taken taken) {
        return taken.epoch();
      } else if (claim.state() instanceof State.GaveUp gaveUp) {
        throw new IOException(notTaken(group, gaveUp.reason()));
      } else {
        throw new IllegalStateException("unknown state of an epoch claim: " + claim.state());
      }
    }
  }

  private String facts(GroupId group, Optional<String> storeName) throws IOException {
    String store = storeName.map(name -> STORE + name + "\n").orElse("");
    return BIRTH + birthOf(group) + "\n" + store + attempt;
  }

  /**
   * A number for an attempt that begins while the store takes no file. It exceeds those that a lost
   * creation of {@link #take(GroupId, long, String)} may still make. It may be taken by then.
   *
   * @param above as for {@link #take(GroupId, long, String)}
   * @throws IOException if the store cannot be listed, or knows nothing near {@code above}
   */
  public long next(GroupId group, long above) throws IOException {
    return highest(group, above) + EpochClaim.MOST_LOST + 1;
  }

  /**
   * Takes just this epoch, for an attempt that has begun it.
   *
   * @param holder as for {@link #take(GroupId, long, String)}
   * @param storeName likewise
   * @return whether it is taken by this, now or by a call whose reply was lost; false if another
   *     attempt has taken it
   * @throws IOException if that is unknown, so that a later call may tell
   */
  public boolean claim(GroupId group, long epoch, String holder, Optional<String> storeName)
      throws IOException {
    Event event = create(group, epoch, holder, facts(group, storeName));
    if (event instanceof Event.Lost lost) {
      throw new IOException(notTaken(group, lost.reason()));
    }
    return event instanceof Event.Created || isOwn(group, epoch);
  }

  /**
   * Whether this made the claim of an epoch, be it by a call that failed.
   *
   * @throws IOException if the file cannot be read
   */
  public boolean isOwn(GroupId group, long epoch) throws IOException {
    return text(group, epoch).filter(found -> found.lines().anyMatch(attempt::equals)).isPresent();
  }

  private String birthOf(GroupId group) throws IOException {
    try {
      return GroupBirth.of(store, group);
    } catch (IOException e) {
      throw new IOException(notTaken(group, e.getMessage()), e);
    }
  }

  private String notTaken(GroupId group, @Nullable String reason) {
    return "no epoch of " + group + " could be taken in " + store.describe() + ": " + reason;
  }

  /**
   * The newest epoch of the group, 0 if none was taken. Attempts with a lower epoch are fenced.
   *
   * @throws IOException if the store cannot be listed
   */
  public long newest(GroupId group) throws IOException {
    List<Long> taken = taken(group);
    return taken.isEmpty() ? 0 : taken.get(taken.size() - 1);
  }

  /**
   * The newest epoch of which the store has any trace, be it only a checkpoint's directory; 0 if
   * there is none. An epoch file may be lost while the checkpoints of the epoch remain.
   *
   * @throws IOException if the store cannot be listed
   */
  public long newestTrace(GroupId group) throws IOException {
    SortedMap<Long, List<CheckpointId>> traces = new TreeMap<>();
    for (long epoch : claims(group)) {
      traces.put(epoch, new ArrayList<>());
    }
    for (CheckpointId id : Inventory.directories(store, group)) {
      traces.computeIfAbsent(id.epoch(), epoch -> new ArrayList<>()).add(id);
    }
    List<Long> explained =
        explained(
            group,
            traces.keySet(),
            (epoch, before) ->
                namesTheBirth(group, epoch, before)
                    || hasManifest(traces.getOrDefault(epoch, List.of())));
    return explained.isEmpty() ? 0 : explained.get(explained.size() - 1);
  }

  /**
   * The epochs that were taken, rising.
   *
   * @throws IOException if the store cannot be listed
   */
  public List<Long> taken(GroupId group) throws IOException {
    return explained(group, claims(group), (epoch, before) -> namesTheBirth(group, epoch, before));
  }

  private List<Long> claims(GroupId group) throws IOException {
    return store.list(StoreNames.epochs(group)).stream()
        .flatMapToLong(entry -> StoreNames.parseEpoch(entry.name()).stream())
        .sorted()
        .boxed()
        .toList();
  }

  /** Whether an epoch is one of the group's. */
  @FunctionalInterface
  private interface Proof {
    boolean of(long epoch, List<Long> before) throws IOException;

    /** One that cannot be read is none: anybody can leave a name that fails. */
    default boolean isGiven(long epoch, List<Long> before) {
      try {
        return of(epoch, before);
      } catch (IOException e) {
        LOG.debug("epoch {} cannot be proven", epoch, e);
        return false;
      }
    }
  }

  /**
   * The epochs without those that nobody can have taken. Each claim is close above the one before;
   * a name far above all others is a stray file, and would take all numbers away. It counts if its
   * content proves it: the group's birth, or a manifest.
   *
   * @param rising epochs of which there is a trace
   */
  private List<Long> explained(GroupId group, Collection<Long> rising, Proof proof)
      throws IOException {
    List<Long> explained = new ArrayList<>();
    long last = 0;
    for (long epoch : rising) {
      if (epoch - last <= CheckpointId.MOST_EPOCHS_AHEAD || proof.isGiven(epoch, explained)) {
        explained.add(epoch);
        last = epoch;
      } else if (setAside.add(epoch)) {
        LOG.warn(
            "{} in {}: epoch {} is set aside, since {} is the last one before it, and neither a"
                + " claim nor a manifest explains it. Delete what is named after it",
            group,
            store.describe(),
            epoch,
            last);
      }
    }
    return explained;
  }

  /** Every claim names the birth of its group. */
  private boolean namesTheBirth(GroupId group, long epoch, List<Long> before) throws IOException {
    Optional<String> birth = birth(group, epoch);
    return birth.isPresent() && birth.equals(GroupBirth.known(store, group, this, before));
  }

  private boolean hasManifest(List<CheckpointId> checkpoints) throws IOException {
    for (CheckpointId id : checkpoints) {
      ManifestReader reader = new ManifestReader(store, new KnownManifests());
      if (reader.read(id).isPresent()
          || reader.problems().stream().anyMatch(problem -> problem.manifest().isPresent())) {
        return true;
      }
    }
    return false;
  }

  /**
   * The birth that an epoch's file names; empty if it names none, or the epoch was not taken.
   *
   * @throws IOException if the file cannot be read
   */
  public Optional<String> birth(GroupId group, long epoch) throws IOException {
    return fact(group, epoch, BIRTH).filter(StoreNames::isBirth);
  }

  private Optional<String> fact(GroupId group, long epoch, String key) throws IOException {
    return text(group, epoch).stream()
        .flatMap(String::lines)
        .skip(2) // holder and time
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()))
        .findFirst();
  }

  /** The name of the store in the newest epoch file that has one. */
  Optional<String> storeName(GroupId group) throws IOException {
    List<Long> taken = taken(group);
    int last = taken.size() - 1;
    for (int i = last; i >= 0 && i > last - MOST_READ; i--) {
      try {
        Optional<String> name = fact(group, taken.get(i), STORE).filter(PathSegment::isLegal);
        if (name.isPresent()) {
          return name;
        }
      } catch (IOException e) {
        LOG.debug("epoch {} of {} does not name the store", taken.get(i), group, e);
      }
    }
    return Optional.empty();
  }

  /** The text without the name of its store. */
  private static String withoutStore(String text) {
    return text.replaceAll("(?m)^" + STORE + ".*\n?", "");
  }

  /**
   * The holder of an epoch and the time of its creation, for people; empty if it was not taken.
   *
   * @throws IOException if the file cannot be read
   */
  public Optional<String> holder(GroupId group, long epoch) throws IOException {
    return text(group, epoch)
        .map(text -> text.lines().limit(2).collect(Collectors.joining("\n")).strip());
  }

  /** The text of an epoch's file; empty if it was not taken. */
  Optional<String> text(GroupId group, long epoch) throws IOException {
    try {
      byte[] text = SmallFile.read(store, StoreNames.epoch(group, epoch), MAX_BYTES);
      return Optional.of(new String(text, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Takes an epoch for the attempt that has it in another store, whose name is left out.
   *
   * @param text of the file there
   * @return whether the epoch is that attempt's here, too: now, or by an earlier call, even if that
   *     ended in the middle of the file
   * @throws IOException if the file can be neither written nor read
   */
  boolean adopt(GroupId group, long epoch, String text) throws IOException {
    String told = withoutStore(text);
    try {
      SmallFile.write(store, StoreNames.epoch(group, epoch), told.getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (FileAlreadyExistsException e) {
      return told.startsWith(withoutStore(text(group, epoch).orElse("")));
    }
  }

  private long highest(GroupId group, long above) throws IOException {
    long known = newestTrace(group);
    if (above > known + CheckpointId.MOST_EPOCHS_AHEAD) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "a rank reports epoch %d, and the store knows none after %d: delete its copies at"
                  + " NODE",
              above,
              known));
    }
    return Math.max(above, known);
  }

  private Event list(GroupId group, long above) throws StoreRefusedException {
    try {
      return new Event.Listed(highest(group, above));
    } catch (IOException e) {
      requirePassing(e);
      LOG.debug("epochs of {} could not be listed", group, e);
      return new Event.Lost(e.toString());
    }
  }

  private Event create(GroupId group, long epoch, String holder, String facts)
      throws StoreRefusedException {
    String line = holder.lines().findFirst().orElse("unnamed");
    String by = line.substring(0, Math.min(line.length(), 1000));
    String text = by + "\n" + clock.instant() + "\n" + facts + "\n";
    boolean created = false;
    try (StoreOutput out = store.create(StoreNames.epoch(group, epoch))) {
      created = true;
      out.write(StandardCharsets.UTF_8.encode(text));
      out.sync();
      return new Event.Created();
    } catch (FileAlreadyExistsException e) {
      return new Event.Exists();
    } catch (IOException e) {
      if (created && isCutShort(group, epoch, text)) {
        LOG.warn("The file of epoch {} of {} could not be filled", epoch, group, e);
        return new Event.Created();
      }
      requirePassing(e);
      LOG.debug("the creation of epoch {} of {} has an unknown effect", epoch, group, e);
      return new Event.Lost(e.toString());
    }
  }

  /** No later try is better, and the reason in words alone would not say so. */
  private static void requirePassing(IOException failure) throws StoreRefusedException {
    if (StoreRefusedException.isIn(failure)) {
      throw new StoreRefusedException(String.valueOf(failure.getMessage()), failure);
    }
  }

  /**
   * Whether a file that this created has no more than a part of its text. A full store takes names
   * and no bytes, and the name is the claim. A store that shows a file when it is closed shows the
   * whole text of somebody.
   */
  private boolean isCutShort(GroupId group, long epoch, String text) {
    try {
      return text(group, epoch)
          .filter(found -> found.length() < text.length() && text.startsWith(found))
          .isPresent();
    } catch (IOException e) {
      return false;
    }
  }
}
