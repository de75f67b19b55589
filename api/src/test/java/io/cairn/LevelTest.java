package io.cairn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LevelTest {
  @Test
  void everySubsetIsFoundByItsConditionInOrderAndShared() {
    Level[] all = Level.values();
    for (int bits = 0; bits < 1 << all.length; bits++) {
      Set<Level> expected = EnumSet.noneOf(Level.class);
      for (int i = 0; i < all.length; i++) {
        if ((bits & 1 << i) != 0) {
          expected.add(all[i]);
        }
      }

      Set<Level> found = Level.where(expected::contains);

      assertThat(found).isEqualTo(expected).containsExactlyElementsOf(expected);
      assertThat(found).isUnmodifiable().isSameAs(Level.where(expected::contains));
    }
  }
}
