package io.cairn.core.wire;

import static io.cairn.core.wire.Kinds.kind;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class KindsTest {
  private sealed interface Fruit {}

  private record Apple() implements Fruit {}

  private record Pear() implements Fruit {}

  private static Kinds.Kind<Apple> apple(int code) {
    return kind(code, Apple.class, (out, apple) -> {}, in -> new Apple());
  }

  @Test
  void aRecordThatTheTableLacksIsRefusedByName() {
    Kinds<Fruit> kinds = new Kinds<Fruit>("fruit", List.of(apple(1)));

    assertThatThrownBy(() -> FieldWriter.encode(1, new Pear(), kinds::write))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no kind of fruit")
        .hasMessageContaining("Pear");
  }

  @Test
  void twoKindsOfOneCodeOrOneRecordAreRefused() {
    Kinds.Kind<Pear> pear = kind(1, Pear.class, (out, one) -> {}, in -> new Pear());

    assertThatThrownBy(() -> new Kinds<Fruit>("fruit", List.of(apple(1), pear)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Kinds<Fruit>("fruit", List.of(apple(1), apple(2))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
