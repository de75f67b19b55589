package io.cairn.core.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.wire.Message;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The messages between processes, field by field: a changed or reused code shows in the golden
 * file, which {@code -Dcairn.wire.write=true} writes anew. A change of it takes another version.
 */
class GoldenWireTest {
  private static final Path GOLDEN = Path.of("src/test/resources/wire.txt");

  private final Map<Class<?>, String> described = new LinkedHashMap<>();

  @Test
  void everyCodeAndFieldIsInTheGoldenFile() throws IOException {
    describe(Message.class);
    int version = Wire.encode(new PeerRequest.Greet())[0];
    String head = "version " + version + "\n";
    String layout = head + String.join("", described.values());
    String golden = Files.readString(GOLDEN);
    if (Boolean.getBoolean("cairn.wire.write") && !layout.equals(golden)) {
      assertThat(golden).as("messages changed: raise the version first").doesNotStartWith(head);
      Files.writeString(GOLDEN, layout);
    }
    assertThat(layout)
        .as(
            "messages changed; if they were meant to, raise the version, and write %s anew with"
                + " -Dcairn.wire.write=true",
            GOLDEN)
        .isEqualTo(Files.readString(GOLDEN));
  }

  private void describe(Type type) {
    if (type instanceof ParameterizedType generic) {
      Stream.of(generic.getActualTypeArguments()).forEach(this::describe);
    } else if (type instanceof Class<?> plain && !described.containsKey(plain)) {
      described.put(plain, "");
      if (plain.isEnum()) {
        described.put(plain, name(plain) + Arrays.toString(plain.getEnumConstants()) + "\n");
      } else if (plain.isSealed()) {
        describeFamily(plain);
      } else if (plain.isRecord()) {
        described.put(plain, name(plain) + components(plain) + "\n");
        within(plain);
      }
    }
  }

  private void describeFamily(Class<?> sealed) {
    List<Class<?>> records = Forms.records(sealed);
    StringBuilder text = new StringBuilder(name(sealed)).append('\n');
    for (int number = 0; number < records.size(); number++) {
      Class<?> one = records.get(number);
      described.putIfAbsent(one, "");
      text.append("  " + (number + 1) + " " + name(one) + components(one) + "\n");
    }
    described.put(sealed, text.toString());
    records.forEach(this::within);
  }

  private void within(Class<?> record) {
    for (RecordComponent component : record.getRecordComponents()) {
      describe(component.getGenericType());
    }
  }

  private static String components(Class<?> record) {
    return Stream.of(record.getRecordComponents())
        .map(GoldenWireTest::component)
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private static String component(RecordComponent component) {
    Clipped clipped = component.getAnnotation(Clipped.class);
    String bound = clipped == null ? "" : " up to " + clipped.value();
    return name(component.getGenericType()) + " " + component.getName() + bound;
  }

  /** The name without packages. */
  private static String name(Type type) {
    return type.getTypeName().replaceAll("[a-z]+\\.", "").replace('$', '.');
  }
}
