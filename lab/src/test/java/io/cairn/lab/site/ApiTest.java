package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The API: the public types of some packages, with all their signatures. A change of it shows in
 * the golden file, which {@code -Dcairn.api.write=true} writes anew. Every other package that has a
 * public type says that it is internal.
 */
class ApiTest {
  private static final Path GOLDEN = Path.of("src/test/resources/api.txt");

  /** The packages that a program imports; the site has the Javadoc of these alone. */
  private static final List<String> API =
      List.of(
          "io.cairn",
          "io.cairn.adjoint",
          "io.cairn.adjoint.history",
          "io.cairn.adjoint.schedule",
          "io.cairn.dl4j",
          "io.cairn.dl4j.averaging",
          "io.cairn.dl4j.files",
          "io.cairn.spark",
          "io.cairn.spark.hosts",
          "io.cairn.spark.standby",
          "io.cairn.training");

  /** Modules that nobody depends on. */
  private static final Set<String> NO_LIBRARIES = Set.of("examples", "lab");

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern EXCLUDED = Pattern.compile("io(\\.[a-z0-9]+)+");
  private static final Pattern PREFIXES =
      Pattern.compile("\\b(java\\.(lang|util|io|time)(\\.function|\\.concurrent)?\\.)(?=[A-Z])");

  private static final Set<String> OF_EVERY_RECORD = Set.of("equals", "hashCode", "toString");

  @Test
  void everySignatureIsInTheGoldenFile() throws IOException {
    String signatures = signatures();
    if (Boolean.getBoolean("cairn.api.write")) {
      Files.writeString(GOLDEN, signatures);
    }
    assertThat(signatures)
        .as(
            "the API changed; if it was meant to, write %s anew with -Dcairn.api.write=true",
            GOLDEN)
        .isEqualTo(Files.readString(GOLDEN));
  }

  private static String signatures() {
    StringBuilder text = new StringBuilder();
    new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages(API)
            .stream()
            .filter(type -> API.contains(type.getPackageName()))
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .map(JavaClass::reflect)
            .filter(ApiTest::isSeen)
            .sorted((one, other) -> one.getName().compareTo(other.getName()))
            .forEach(type -> describe(type, text));
    return text.toString();
  }

  private static boolean isSeen(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return Modifier.isPublic(type.getModifiers())
        && !type.isAnonymousClass()
        && (outer == null || isSeen(outer));
  }

  private static void describe(Class<?> type, StringBuilder text) {
    Stream<String> supers =
        Stream.concat(
                Stream.ofNullable(type.getGenericSuperclass())
                    .filter(one -> !one.equals(Object.class)),
                Arrays.stream(type.getGenericInterfaces()))
            .map(Type::getTypeName);
    text.append(PREFIXES.matcher(type.toGenericString()).replaceAll(""));
    List<String> all = supers.map(one -> PREFIXES.matcher(one).replaceAll("")).toList();
    text.append(all.isEmpty() ? "\n" : " : " + String.join(", ", all) + "\n");
    Set<String> members = new TreeSet<>();
    for (Field field : type.getDeclaredFields()) {
      if (isSeen(field.getModifiers(), field.isSynthetic())) {
        members.add(member(type, field.toGenericString()));
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      add(type, constructor, constructor.toGenericString(), members);
    }
    for (Method method : type.getDeclaredMethods()) {
      boolean known =
          (type.isRecord() || type.isEnum()) && OF_EVERY_RECORD.contains(method.getName());
      if (!known && !method.isBridge()) {
        add(type, method, method.toGenericString(), members);
      }
    }
    members.forEach(member -> text.append("  ").append(member).append('\n'));
  }

  private static void add(
      Class<?> type, Executable executable, String signature, Set<String> members) {
    if (isSeen(executable.getModifiers(), executable.isSynthetic())) {
      members.add(member(type, signature));
    }
  }

  private static boolean isSeen(int modifiers, boolean isSynthetic) {
    return !isSynthetic && (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers));
  }

  private static String member(Class<?> type, String signature) {
    String brief = signature.replace(type.getTypeName() + ".", "").replace("public ", "");
    return PREFIXES.matcher(brief).replaceAll("");
  }

  @Test
  void everyOtherPackageSaysThatItIsInternal() throws IOException {
    List<String> silent = new ArrayList<>();
    for (Path module : modules()) {
      for (Path info : packages(module)) {
        String text = Files.readString(info);
        String name = name(text);
        if (!API.contains(name) && !text.contains("Internal: free to change.")) {
          silent.add(info.toString());
        }
      }
    }
    assertThat(silent).as("package-info of packages outside the API").isEmpty();
  }

  @Test
  void theSiteLeavesOutWhatIsInternal() throws IOException {
    String script = Files.readString(Path.of("../.ci/site"));
    Set<String> excluded = new TreeSet<>();
    EXCLUDED.matcher(script).results().forEach(found -> excluded.add(found.group()));
    List<String> shown = new ArrayList<>();
    for (Path module : modules()) {
      for (Path info : packages(module)) {
        String name = name(Files.readString(info));
        boolean isLeftOut =
            excluded.stream().anyMatch(one -> name.equals(one) || name.startsWith(one + "."));
        if (isLeftOut == API.contains(name)) {
          shown.add(name);
        }
      }
    }
    assertThat(shown).as("packages of which .ci/site shows what it should not").isEmpty();
  }

  private static String name(String packageInfo) {
    return PACKAGE.matcher(packageInfo).results().findFirst().orElseThrow().group(1);
  }

  private static List<Path> modules() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(".."))) {
      return all.filter(path -> Files.isDirectory(path.resolve("src/main/java")))
          .filter(path -> !NO_LIBRARIES.contains(path.getFileName().toString()))
          .collect(Collectors.toList());
    }
  }

  private static List<Path> packages(Path module) throws IOException {
    try (Stream<Path> all = Files.walk(module.resolve("src/main/java"))) {
      return all.filter(path -> path.endsWith("package-info.java")).toList();
    }
  }
}
