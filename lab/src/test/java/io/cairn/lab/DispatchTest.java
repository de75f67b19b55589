package io.cairn.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A method that tells the members of a sealed family apart, and throws at another one, knows all
 * members. So a new message or event is a failed test, and not an exception of a running training.
 */
class DispatchTest {
  private static final Set<Class<?>> MEANS_A_DEFECT =
      Set.of(AssertionError.class, IllegalStateException.class);

  /** Members that no caller of the method can meet, or that end a trial. */
  private static final List<String> REFUSED =
      List.of(
          "ModelCaptures.onSeal: Captured",
          "ModelCaptures.settle: Sealed",
          "SettledTickets.await: Captured, NotDue, Skipped",
          "SharedSpans.add: GatheredHost, GatheredSource",
          "ToyRank.checkpoint: Captured, Failed, NotDue, Skipped",
          "Watch.apply: End");

  sealed interface Fruit {}

  sealed interface Citrus extends Fruit {}

  record Apple() implements Fruit {}

  record Lemon() implements Citrus {}

  record Lime() implements Citrus {}

  static final class Peeler {
    private Peeler() {}

    static String forgets(Fruit fruit) {
      if (fruit instanceof Apple) {
        return "apple";
      } else if (fruit instanceof Lemon) {
        return "lemon";
      }
      throw new AssertionError(fruit);
    }

    static String knows(Fruit fruit) {
      if (fruit instanceof Apple) {
        return "apple";
      } else if (!(fruit instanceof Citrus)) {
        throw new AssertionError(fruit);
      }
      return "citrus";
    }

    static boolean asksOnly(Fruit fruit) {
      return fruit instanceof Apple || fruit instanceof Lemon;
    }
  }

  @Test
  void aForgottenMemberIsFound() {
    assertThat(gaps(new ClassFileImporter().importClasses(Peeler.class)))
        .containsExactly("Peeler.forgets: Lime");
  }

  @Test
  void everyDispatchKnowsItsFamily() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.cairn");
    assertThat(dispatches(classes).count()).isGreaterThan(10);

    assertThat(gaps(classes))
        .as("members of sealed families at which a method throws")
        .containsExactlyInAnyOrderElementsOf(REFUSED);
  }

  private static List<String> gaps(JavaClasses classes) {
    List<String> gaps = new ArrayList<>();
    dispatches(classes)
        .forEach(
            method -> {
              Set<Class<?>> known = checked(method);
              Set<Class<?>> forgotten = new LinkedHashSet<>(leaves(family(known).orElseThrow()));
              forgotten.removeIf(
                  leaf -> known.stream().anyMatch(one -> one.isAssignableFrom(leaf)));
              if (!forgotten.isEmpty()) {
                gaps.add(
                    method.getOwner().getSimpleName()
                        + "."
                        + method.getName()
                        + ": "
                        + forgotten.stream()
                            .map(Class::getSimpleName)
                            .sorted()
                            .collect(Collectors.joining(", ")));
              }
            });
    return gaps;
  }

  /** Methods that tell two members of a family apart, of which they know no other, and throw. */
  private static Stream<JavaCodeUnit> dispatches(JavaClasses classes) {
    return classes.stream()
        .map(JavaClass::getCodeUnits)
        .flatMap(Set::stream)
        .filter(
            method ->
                method.getConstructorCallsFromSelf().stream()
                    .anyMatch(
                        call ->
                            MEANS_A_DEFECT.stream()
                                .anyMatch(call.getTargetOwner()::isEquivalentTo)))
        .filter(method -> checked(method).size() > 1 && family(checked(method)).isPresent());
  }

  private static Set<Class<?>> checked(JavaCodeUnit method) {
    return method.getInstanceofChecks().stream()
        .map(InstanceofCheck::getRawType)
        .filter(type -> type.getPackageName().startsWith("io.cairn"))
        .map(JavaClass::reflect)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The smallest sealed type to which all belong. */
  private static Optional<Class<?>> family(Set<Class<?>> members) {
    Stream<Class<?>> sealed =
        members.stream()
            .flatMap(DispatchTest::above)
            .filter(Class::isSealed)
            .filter(type -> members.stream().allMatch(type::isAssignableFrom));
    return sealed.min(Comparator.comparingInt(type -> leaves(type).size()));
  }

  private static Stream<Class<?>> above(Class<?> type) {
    Stream<Class<?>> direct =
        type.getSuperclass() == null
            ? Stream.of(type.getInterfaces())
            : Stream.concat(Stream.of(type.getSuperclass()), Stream.of(type.getInterfaces()));
    return Stream.concat(Stream.of(type), direct.flatMap(DispatchTest::above));
  }

  private static Set<Class<?>> leaves(Class<?> sealed) {
    return sealed.isSealed()
        ? Stream.of(sealed.getPermittedSubclasses())
            .flatMap(member -> leaves(member).stream())
            .collect(Collectors.toCollection(LinkedHashSet::new))
        : Set.of(sealed);
  }
}
