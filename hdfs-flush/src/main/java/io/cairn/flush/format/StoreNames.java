package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.internal.PaddedNumber;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Names of files and directories below a store's root, the same at NODE and STORE.
 *
 * <pre>
 *   &lt;job&gt;/&lt;group&gt;/
 *     birth                         STORE: names this life of the group
 *     in-use                        NODE: locked by each process with ranks of the group
 *     epochs/000003                 created exclusively by the attempt of epoch 3
 *     epochs/000003-i0000000042.end epoch 3 ended in order with this iteration; for people only
 *     epochs/000003-i0000000042.sealed the newest checkpoint that was sealed; a hint
 *     epochs/000003-i0000000042.nodes  where the newest checkpoint at NODE was sealed; a hint
 *     epochs/any-sealed             a checkpoint was sealed above DEVICE once
 *     states-r00000/                STORE: states of an adjoint program, of this rank
 *     e000003-i0000000042/          one checkpoint; shared by no other epoch
 *       writer-r00000.chunks        container, named after its lowest rank
 *       writer-r00000-part0of2.chunks the first part of one rank's chunks; see {@link Parts}
 *       .MANIFEST.&lt;nonce&gt;.tmp       a manifest that is not published yet
 *       MANIFEST                    STORE: covers the group
 *       CADENCE                     STORE: what its cadence learned; no part of the checkpoint
 *       CERTIFIED                   STORE: a replay ended in the same bytes; no part of it either
 *       MANIFEST-r00000             NODE: covers this rank, one part of several
 *       PEER-r00000                 NODE: another node keeps a copy of this rank's data, too
 *       quarantined.MANIFEST-r00000 NODE: set aside, since the copy was bad; so are its containers
 *       parity-s00000-0.chunks        PEER: the first parity of the set whose lowest rank is 0
 *       MANIFEST-s00000             PEER: covers the ranks of that set by its parity
 * </pre>
 */
public final class StoreNames {
  /** The manifest that covers a group. */
  public static final String MANIFEST = "MANIFEST";

  /** The file beside a manifest with the measurements of the group; see {@link LearnedCodec}. */
  public static final String CADENCE = "CADENCE";

  /** The file beside a manifest with its certificate; see {@link CertificateCodec}. */
  public static final String CERTIFIED = "CERTIFIED";

  /** The directory of a group's epoch files. */
  public static final String EPOCHS = "epochs";

  /** At NODE, the file of a directory that its users lock: of a group, and of a store's copies. */
  public static final String IN_USE = "in-use";

  /** At NODE, in the directory of a store's copies: how long each group has rested. */
  public static final String RESTED = "rested";

  /** Within {@link #life}, the directory of {@link #copies}; no job has such a name. */
  public static final String COPIES = ".peer";

  private static final Pattern CONTAINER =
      Pattern.compile("writer-r\\d{5,10}(-[A-Za-z0-9._-]+)?\\.chunks");
  private static final Pattern PARITY = Pattern.compile("parity-s\\d{5,10}-\\d{1,3}\\.chunks");
  private static final String BIRTH = "birth";
  private static final String PART = MANIFEST + "-r";
  private static final String OF_SET = MANIFEST + "-s";
  private static final String COPIED = "PEER-r";
  private static final String QUARANTINED = "quarantined.";
  private static final Pattern TEMPORARY = Pattern.compile("\\.MANIFEST\\..+\\.tmp");
  private static final Pattern BIRTH_NAME =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final String SEAL = ".sealed";
  private static final String END = ".end";
  private static final String NODES = ".nodes";

  private StoreNames() {}

  /** The directory of a group. */
  public static String group(GroupId group) {
    return group.job() + "/" + group.group();
  }

  /** The file that names a group's birth, at STORE. */
  public static String birth(GroupId group) {
    return group(group) + "/" + BIRTH;
  }

  /** A group's birth before it is published. */
  public static String temporaryBirth(GroupId group, String nonce) {
    return group(group) + "/." + BIRTH + "." + nonce + ".tmp";
  }

  /**
   * At NODE, the directory of everything of one birth of a group: a store of its own with this
   * layout.
   */
  public static String life(GroupId group, String birth) {
    return group(group) + "/" + birth;
  }

  /** At NODE, in the directory of a {@link #life}: a rank's account of its time. */
  public static String lifeSign(int rank) {
    return "alive-r" + PaddedNumber.of(rank, 5);
  }

  /**
   * At NODE, the directory of the copies that this node keeps for other nodes, of one birth of a
   * group: a store of its own with the layout of {@link #life}.
   */
  public static String copies(GroupId group, String birth) {
    return life(group, birth) + "/" + COPIES;
  }

  /** Whether the name is that of a birth: a UUID in lower case. */
  public static boolean isBirth(String name) {
    return BIRTH_NAME.matcher(name).matches();
  }

  /** At STORE, the directory of the states of an adjoint program, of one rank. */
  public static String states(Member rank) {
    return group(rank.group()) + "/states-r" + PaddedNumber.of(rank.rank(), 5);
  }

  /** The directory of a group's epoch files. */
  public static String epochs(GroupId group) {
    return group(group) + "/" + EPOCHS;
  }

  /** The file whose exclusive creation takes an epoch. */
  public static String epoch(GroupId group, long epoch) {
    return epochs(group) + "/" + PaddedNumber.of(epoch, 6);
  }

  /** The epoch of a file name in {@link #epochs}; empty for other names. */
  public static OptionalLong parseEpoch(String name) {
    OptionalLong epoch = name.length() < 6 ? OptionalLong.empty() : PaddedNumber.parse(name);
    return epoch.isEmpty() || epoch.getAsLong() < 1 || epoch.getAsLong() > CheckpointId.MAX_EPOCH
        ? OptionalLong.empty()
        : epoch;
  }

  /** The file that marks a group's last checkpoint, after its training ended in order. */
  public static String end(CheckpointId last) {
    return mark(last, END);
  }

  /** The last checkpoint by the name of a mark in {@link #epochs}; empty for other names. */
  public static Optional<CheckpointId> parseEnd(GroupId group, String name) {
    return parseMark(END, group, name);
  }

  /** The file that marks that a group has sealed a checkpoint above DEVICE. */
  public static String anySealed(GroupId group) {
    return epochs(group) + "/any-sealed";
  }

  /** The file that marks a checkpoint as sealed. */
  public static String seal(CheckpointId sealed) {
    return mark(sealed, SEAL);
  }

  /** The checkpoint by the name of a seal's mark in {@link #epochs}; empty for other names. */
  public static Optional<CheckpointId> parseSeal(GroupId group, String name) {
    return parseMark(SEAL, group, name);
  }

  /** The file that says at which nodes a checkpoint was sealed. */
  public static String nodes(CheckpointId sealed) {
    return mark(sealed, NODES);
  }

  /** The checkpoint by the name of such a file in {@link #epochs}; empty for other names. */
  public static Optional<CheckpointId> parseNodes(GroupId group, String name) {
    return parseMark(NODES, group, name);
  }

  private static String mark(CheckpointId id, String kind) {
    String iteration = PaddedNumber.of(id.iteration(), 10);
    return epoch(id.group(), id.epoch()) + "-i" + iteration + kind;
  }

  private static Optional<CheckpointId> parseMark(String kind, GroupId group, String name) {
    return name.endsWith(kind)
        ? CheckpointId.parse(group, "e" + name.substring(0, name.length() - kind.length()))
        : Optional.empty();
  }

  /** The directory of a checkpoint. */
  public static String checkpoint(CheckpointId id) {
    return group(id.group()) + "/" + id.directory();
  }

  /** A file of a checkpoint. */
  public static String file(CheckpointId id, String name) {
    return checkpoint(id) + "/" + name;
  }

  /** Name of the container whose lowest rank is {@code rank}. */
  public static String container(int rank) {
    return "writer-r" + PaddedNumber.of(rank, 5) + ".chunks";
  }

  /**
   * Name of a container with a part of one rank's chunks, written by the holder of those chunks.
   *
   * @param holder unique among the rank's holders; letters, digits, dots and hyphens
   */
  public static String container(int rank, String holder) {
    return "writer-r" + PaddedNumber.of(rank, 5) + "-" + holder + ".chunks";
  }

  /** Whether the name is that of a container. */
  public static boolean isContainer(String name) {
    return name.startsWith("writer-r") && CONTAINER.matcher(name).matches();
  }

  /** Whether the name is that of a container with chunks of this rank alone. */
  public static boolean isContainerOf(int rank, String name) {
    String whole = container(rank);
    String start = whole.substring(0, whole.indexOf('.'));
    return isContainer(name) && (name.equals(whole) || name.startsWith(start + "-"));
  }

  /** Name of the part of the manifest at NODE that may list a container; empty for other files. */
  public static Optional<String> partOf(String container) {
    return isContainer(container)
        ? Optional.of("MANIFEST-r" + container.split("[-.]", 3)[1].substring(1))
        : Optional.empty();
  }

  /** Name of a file of a bad copy that was set aside; no reader takes it for data. */
  public static String quarantined(String name) {
    return QUARANTINED + name;
  }

  /** The former name of a file that was set aside; empty for other names. */
  public static Optional<String> parseQuarantined(String name) {
    return name.startsWith(QUARANTINED)
        ? Optional.of(name.substring(QUARANTINED.length()))
        : Optional.empty();
  }

  /**
   * Name of a parity of a set of ranks.
   *
   * @param lowest rank of the set
   * @param index of the parity among those of the set, from 0 on
   */
  public static String parity(int lowest, int index) {
    return "parity-s" + PaddedNumber.of(lowest, 5) + "-" + index + ".chunks";
  }

  /** Whether the name is that of a parity. */
  public static boolean isParity(String name) {
    return PARITY.matcher(name).matches();
  }

  /** Name of the manifest that covers a set of ranks by a parity, after its lowest rank. */
  public static String manifestOfSet(int lowest) {
    return OF_SET + PaddedNumber.of(lowest, 5);
  }

  /** Name of the part of the manifest that one rank publishes at NODE. */
  public static String manifestPart(int rank) {
    return PART + PaddedNumber.of(rank, 5);
  }

  /** Name of the file which marks, at NODE, that another node keeps a copy of a rank's data. */
  public static String copied(int rank) {
    return COPIED + PaddedNumber.of(rank, 5);
  }

  /** Whether the name is that of such a mark. */
  public static boolean isCopied(String name) {
    return isNumbered(COPIED, name);
  }

  /** Name of a manifest before it is published, unique per attempt. */
  public static String temporaryManifest(String attempt) {
    return "." + MANIFEST + "." + attempt + ".tmp";
  }

  /** Whether the name is that of a published manifest or a part of one. */
  public static boolean isManifest(String name) {
    return name.equals(MANIFEST) || isNumbered(PART, name) || isNumbered(OF_SET, name);
  }

  /** Whether a name ends in a rank. A loop, since every listing asks for every name. */
  private static boolean isNumbered(String prefix, String name) {
    int digits = name.length() - prefix.length();
    boolean legal = digits >= 5 && digits <= 10 && name.startsWith(prefix);
    for (int i = prefix.length(); legal && i < name.length(); i++) {
      legal = name.charAt(i) >= '0' && name.charAt(i) <= '9';
    }
    return legal;
  }

  /** Whether the name is that of an unpublished manifest. */
  public static boolean isTemporaryManifest(String name) {
    return name.startsWith("." + MANIFEST) && TEMPORARY.matcher(name).matches();
  }
}
