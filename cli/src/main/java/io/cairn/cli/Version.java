package io.cairn.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The text of {@code cairn --version}: the version of the jar, and of what it runs on. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Main.class.getPackage().getImplementationVersion();
    return new String[] {
      "cairn " + Objects.requireNonNullElse(version, "(not packaged)"),
      "Java " + Runtime.version() + ", " + System.getProperty("os.name")
    };
  }
}
