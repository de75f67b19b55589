package io.cairn.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordCodecTest {
  private static final int VERSION = 3;
  private static final RecordCodec<Shape> CODEC = new RecordCodec<>(Shape.class, VERSION);

  private enum Colour {
    RED,
    BLUE
  }

  private sealed interface Shape {}

  private sealed interface Round extends Shape {}

  private sealed interface Small extends Shape {}

  private record Dot() implements Round, Small {}

  private record Circle(Optional<Colour> colour, boolean open) implements Round {}

  private record Label(@Clipped(8) String text, @Clipped(20) Optional<String> more)
      implements Shape {}

  private record Colours(Set<Colour> colours) implements Shape {}

  private record Sizes(Map<Colour, Long> sizes) implements Shape {}

  private record Names(SortedMap<String, String> names) implements Shape {}

  private record Corners(List<Integer> corners) implements Shape {}

  private record Body(ByteBuffer body) implements Shape {}

  @SuppressWarnings("ArrayRecordComponent") // the codec has a form for it
  private record Cells(int[] cells) implements Shape {}

  private record Pair(End left, End right) implements Shape {}

  private sealed interface End {}

  private record Open() implements End {}

  private record Closed(int at) implements End {}

  private sealed interface Tree {}

  private record Node(List<Tree> children) implements Tree {}

  /** Its constructor throws other exceptions than it should. */
  private record Careless(int at) implements Shape {
    Careless {
      if (at == Integer.MIN_VALUE) {
        throw new AssertionError("at the least");
      } else if (at < 0) {
        throw new IllegalStateException("at " + at);
      }
    }
  }

  /** Writes the fields of a value by hand. */
  @FunctionalInterface
  private interface Fields {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(Class<? extends Shape> record, Fields fields) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(VERSION);
    out.writeByte(1 + Forms.records(Shape.class).indexOf(record));
    fields.write(out);
    return bytes.toByteArray();
  }

  private static void refused(byte[] bytes, String message) {
    assertThatThrownBy(() -> CODEC.decode(bytes, Shape.class))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not a Shape (")
        .hasMessageContaining(message);
  }

  private static List<Shape> shapes() {
    return List.of(
        new Dot(),
        new Circle(Optional.of(Colour.BLUE), true),
        new Circle(Optional.empty(), false),
        new Label("a label", Optional.of("more")),
        new Colours(Set.of(Colour.RED, Colour.BLUE)),
        new Sizes(Map.of(Colour.RED, -1L)),
        new Names(new TreeMap<>(Map.of("b", "2", "a", "1"))),
        new Corners(List.of(1, Integer.MIN_VALUE)),
        new Body(ByteBuffer.wrap(new byte[] {1, 2, 3})),
        new Pair(new Open(), new Closed(4)),
        new Careless(7));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aValueComesBackAsItWas(Shape shape) {
    assertThat(CODEC.decode(CODEC.encode(shape), shape.getClass())).isEqualTo(shape);
  }

  @Test
  void intsComeBack() {
    byte[] bytes = CODEC.encode(new Cells(new int[] {1, 2}));

    assertThat(CODEC.decode(bytes, Cells.class).cells()).containsExactly(1, 2);
  }

  @Test
  void aBufferIsWrittenFromItsPositionAndIsAView() {
    ByteBuffer body = ByteBuffer.wrap(new byte[] {1, 2, 3, 4}).position(1).limit(3);

    byte[] bytes = CODEC.encode(new Body(body.slice()));
    ByteBuffer read = CODEC.decode(bytes, Body.class).body();

    assertThat(body.remaining()).isEqualTo(2);
    assertThat(read).isEqualTo(ByteBuffer.wrap(new byte[] {2, 3}));
    bytes[bytes.length - 1] = 9;
    assertThat(read).isEqualTo(ByteBuffer.wrap(new byte[] {2, 9}));
  }

  /** A record of two parts of its family has one code. */
  @Test
  void codesAreTheOrderOfTheNames() {
    List<Class<?>> records = Forms.records(Shape.class);

    assertThat(records)
        .startsWith(Body.class, Careless.class, Cells.class, Circle.class)
        .containsOnlyOnce(Dot.class);
    assertThat(CODEC.encode(new Dot())).containsExactly(VERSION, 1 + records.indexOf(Dot.class));
  }

  @Test
  void theSenderClipsAndTheReceiverRefuses() throws IOException {
    byte[] clipped = CODEC.encode(new Label("123456789", Optional.of("x".repeat(19))));

    assertThat(CODEC.decode(clipped, Label.class))
        .isEqualTo(new Label("1234567…", Optional.empty()));
    refused(
        bytes(Label.class, out -> out.writeUTF("123456789")),
        "(Label.text, offset 13 of 13 bytes): a text of 9 characters");
    refused(
        bytes(
            Label.class,
            out -> {
              out.writeUTF("");
              out.writeBoolean(true);
              out.writeUTF("x".repeat(19));
            }),
        "Label.more, offset 26 of 26 bytes): a value of 21 bytes");
  }

  @Test
  void aTextThatIsTooLongIsNotSent() {
    assertThatThrownBy(() -> CODEC.encode(new Names(new TreeMap<>(Map.of("a", "x".repeat(65536))))))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a Names cannot be sent: ");
  }

  /** The bytes that are left cannot hold what a length claims, so no room is made for it. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 1, 1 << 20, Integer.MAX_VALUE})
  void aLengthThatLiesIsRefusedAtOnce(int claimed) throws IOException {
    String reason = "a list of " + claimed + " entries in 0 bytes";

    for (Class<? extends Shape> record :
        List.of(Colours.class, Sizes.class, Names.class, Corners.class, Body.class, Cells.class)) {
      refused(bytes(record, out -> out.writeInt(claimed)), reason);
    }
    refused(bytes(Sizes.class, out -> writeTwice(out, 1)), "a list of 1 entries in 8 bytes");
  }

  private static void writeTwice(DataOutputStream out, int number) throws IOException {
    out.writeInt(number);
    out.writeLong(number);
  }

  @Test
  void entriesAndKeysThatAppearTwiceAreRefused() throws IOException {
    refused(
        bytes(
            Colours.class,
            out -> {
              out.writeInt(2);
              out.writeUTF("RED");
              out.writeUTF("RED");
            }),
        "an entry of a set appears twice");
    refused(
        bytes(
            Names.class,
            out -> {
              out.writeInt(2);
              for (String text : List.of("a", "1", "a", "2")) {
                out.writeUTF(text);
              }
            }),
        "a key of a map appears twice");
  }

  @Test
  void unknownNamesFlagsAndKindsAreRefusedByName() throws IOException {
    refused(
        bytes(
            Circle.class,
            out -> {
              out.writeBoolean(true);
              out.writeUTF("GREEN");
            }),
        "Circle.colour, offset 10 of 10 bytes): no Colour is named 'GREEN'");
    refused(bytes(Circle.class, out -> out.writeByte(2)), "a flag of 2");
    refused(
        bytes(Pair.class, out -> out.writeByte(0)),
        "Pair.left, offset 3 of 3 bytes): no End has kind 0");
    refused(bytes(Pair.class, out -> out.writeByte(255)), "no End has kind 255");
  }

  @Test
  void everyExceptionOfAConstructorIsARefusal() throws IOException {
    refused(
        bytes(Careless.class, out -> out.writeInt(-1)), "(Careless, offset 6 of 6 bytes): at -1");
  }

  @Test
  void anErrorOfAConstructorIsNoRefusal() throws IOException {
    byte[] bytes = bytes(Careless.class, out -> out.writeInt(Integer.MIN_VALUE));

    assertThatThrownBy(() -> CODEC.decode(bytes, Shape.class))
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessage("at the least");
  }

  @Test
  void aRecordWithoutAFormIsRefusedWhenTheCodecIsMade() {
    record Unknown(Object anything) {}

    assertThatThrownBy(() -> new RecordCodec<>(Unknown.class, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no form of class java.lang.Object");
  }

  /** Its bytes could nest so deep that reading them ends in a stack overflow. */
  @Test
  void aTypeWithinItselfIsRefusedWhenTheCodecIsMade() {
    for (Class<?> type : List.<Class<?>>of(Tree.class, Node.class)) {
      assertThatThrownBy(() -> new RecordCodec<>(type, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has no form: bytes could nest it without end");
    }
  }
}
