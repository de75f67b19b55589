package io.cairn.core.wire;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.Holder;
import io.cairn.core.model.RegionImage;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import io.cairn.core.protocol.Proof;
import io.cairn.core.protocol.RankHolding;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Seeded values of message records, component by component, so that a new record needs no generator
 * of its own. Types whose components depend on each other have a supplier here.
 */
final class SeededValues {
  private static final List<Level> LEVELS = List.of(Level.values());
  private static final int MOST_ENTRIES = 6;
  private static final int MOST_CHARACTERS = 40;

  private final SplittableRandom random;
  private final Map<Type, Supplier<Object>> suppliers = new HashMap<>();
  private final Set<Class<?>> made = new HashSet<>();

  SeededValues(long seed) {
    random = new SplittableRandom(seed);
    suppliers.put(int.class, () -> random.nextInt(1, 1000));
    suppliers.put(Integer.class, () -> random.nextInt(1, 1_000_000));
    suppliers.put(long.class, () -> random.nextLong(1, 1L << 36));
    suppliers.put(Long.class, () -> random.nextLong(1, 1L << 36));
    suppliers.put(boolean.class, random::nextBoolean);
    suppliers.put(String.class, () -> "s" + text());
    suppliers.put(Level.class, this::level);
    suppliers.put(ByteBuffer.class, () -> ByteBuffer.wrap(bytes()));
    suppliers.put(Digest.class, () -> Digest.of(bytes()));
    suppliers.put(
        GroupId.class,
        () -> new GroupId("job-" + random.nextInt(100), "group." + random.nextInt(100)));
    suppliers.put(Ancestry.class, this::ancestry);
    suppliers.put(CadencePlan.class, this::cadence);
    suppliers.put(Member.class, this::member);
    suppliers.put(RegionImage.class, this::image);
    suppliers.put(ContainerSummary.class, this::container);
    suppliers.put(Outcome.class, this::outcome);
    suppliers.put(Why.class, () -> List.of(Why.values()).get(random.nextInt(Why.values().length)));
    suppliers.put(RankHolding.class, this::holding);
  }

  /** Record classes of which a value was made so far. */
  Set<Class<?>> made() {
    return made;
  }

  /** A value of a record, an enum, a list, an optional, or one of a sealed type's records. */
  Object of(Type type) throws ReflectiveOperationException {
    Supplier<Object> supplier = suppliers.get(type);
    if (supplier != null) {
      return supplier.get();
    } else if (type instanceof ParameterizedType generic) {
      return ofGeneric(generic);
    }
    Class<?> raw = (Class<?>) type;
    if (raw.isSealed()) {
      List<Class<?>> leaves = leaves(raw);
      return of(leaves.get(random.nextInt(leaves.size())));
    } else if (raw.isRecord()) {
      return ofRecord(raw);
    } else if (raw.isEnum()) {
      return raw.getEnumConstants()[random.nextInt(raw.getEnumConstants().length)];
    }
    throw new IllegalArgumentException("no supplier makes a " + type);
  }

  private Object ofGeneric(ParameterizedType generic) throws ReflectiveOperationException {
    Type entry = generic.getActualTypeArguments()[0];
    if (generic.getRawType() == Optional.class) {
      return random.nextBoolean() ? Optional.of(of(entry)) : Optional.empty();
    } else if (generic.getRawType() == List.class) {
      List<Object> list = new ArrayList<>();
      for (int left = random.nextInt(1, MOST_ENTRIES); left > 0; left--) {
        list.add(of(entry));
      }
      return list;
    } else if (generic.getRawType() == Set.class && entry == Level.class) {
      return levels();
    }
    throw new IllegalArgumentException("no supplier makes a " + generic);
  }

  private Object ofRecord(Class<?> record) throws ReflectiveOperationException {
    RecordComponent[] components = record.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = of(components[i].getGenericType());
    }
    Constructor<?> constructor = record.getDeclaredConstructor(types);
    constructor.setAccessible(true);
    made.add(record);
    return constructor.newInstance(values);
  }

  /** The records of a sealed type, at any depth; the class itself if it is not sealed. */
  static List<Class<?>> leaves(Class<?> type) {
    if (!type.isSealed()) {
      return List.of(type);
    }
    return Arrays.stream(type.getPermittedSubclasses()).flatMap(s -> leaves(s).stream()).toList();
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(MOST_CHARACTERS); left > 0; left--) {
      text.append((char) random.nextInt(1, 0xD800));
    }
    return text.toString();
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(MOST_CHARACTERS)];
    random.nextBytes(bytes);
    return bytes;
  }

  private Level level() {
    return LEVELS.get(random.nextInt(LEVELS.size()));
  }

  private Set<Level> levels() {
    Set<Level> levels = EnumSet.noneOf(Level.class);
    LEVELS.stream().filter(level -> random.nextBoolean()).forEach(levels::add);
    return levels;
  }

  private Ancestry ancestry() {
    List<Ancestry.Step> steps = new ArrayList<>();
    long epoch = 0;
    for (int left = random.nextInt(MOST_ENTRIES); left > 0; left--) {
      epoch += random.nextLong(1, 1000);
      steps.add(new Ancestry.Step(epoch, random.nextLong(1_000_000)));
    }
    return new Ancestry(steps);
  }

  private CadencePlan cadence() {
    Map<Level, Long> periods = new EnumMap<>(Level.class);
    long period = random.nextLong(1, 10);
    for (Level level : levels()) {
      period *= random.nextLong(1, 10);
      periods.put(level, period);
    }
    periods.put(Level.STORE, period * random.nextLong(1, 10));
    return new CadencePlan(random.nextLong(1, 1L << 36), random.nextLong(1, 1L << 36), periods);
  }

  private Member member() {
    int size = random.nextInt(1, 20_000);
    return new Member(new GroupId("job", "group"), random.nextInt(size), size);
  }

  private RegionImage image() {
    int[] checksums = new int[random.nextInt(MOST_ENTRIES)];
    Arrays.setAll(checksums, i -> random.nextInt());
    int chunkBytes = random.nextInt(1, 5000);
    long bytes = (long) checksums.length * chunkBytes;
    return new RegionImage("region-" + random.nextInt(9), bytes, chunkBytes, checksums);
  }

  private ContainerSummary container() {
    return new ContainerSummary(
        "writer-" + random.nextInt(99),
        random.nextLong(1, 1L << 40),
        Digest.of(bytes()),
        List.of(random.nextInt(1000), random.nextInt(1000, 2000)),
        random.ints(random.nextInt(3)).distinct().mapToObj(this::holder).toList(),
        fingerprint());
  }

  private Holder holder(int number) {
    long iteration = Integer.toUnsignedLong(number);
    return new Holder(
        random.nextLong(1, 99), iteration, "writer-1", random.nextLong(99), Digest.of(bytes()));
  }

  private RankHolding holding() {
    CheckpointId id =
        new CheckpointId(
            new GroupId("job", "group"), random.nextLong(1, 1000), random.nextLong(1 << 20));
    Optional<Candidate> candidate =
        random.nextBoolean()
            ? Optional.of(new Candidate(id, Digest.of(bytes()), ancestry()))
            : Optional.empty();
    return new RankHolding(
        id,
        random.nextInt(1, 100),
        candidate,
        List.of(container()),
        text(),
        List.of(Proof.DAMAGE, Proof.PASSING, Proof.HEARSAY).get(random.nextInt(3)));
  }

  private Fingerprint fingerprint() {
    Fingerprint program = Fingerprint.NONE;
    for (int left = random.nextInt(3); left > 0; left--) {
      program = program.with("entry-" + left, "value " + random.nextInt(99));
    }
    return program;
  }

  /** One of those with which a level settles. */
  private Outcome outcome() {
    return switch (random.nextInt(4)) {
      case 0 -> new Outcome.Sealed(level());
      case 3 -> new Outcome.NotDue(level());
      case 1 -> new Outcome.Skipped(text());
      default -> new Outcome.Failed(text());
    };
  }
}
