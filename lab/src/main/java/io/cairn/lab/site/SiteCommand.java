package io.cairn.lab.site;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.WritableDirectory;
import io.cairn.lab.LabCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn-lab site}: the pages as HTML. */
@Command(
    name = "site",
    description = {
      "Write README and docs as HTML, and check their links.",
      "%nThe Javadoc belongs into OUT/javadoc; .ci/site puts it there. Exits with 1 if a link leads"
          + " to no file or heading."
    })
public final class SiteCommand implements LabCommand {
  @Option(
      names = "--root",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "The project's folder (${DEFAULT-VALUE}).")
  private Path root = Path.of(".");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      converter = WritableDirectory.class,
      required = true,
      description = "Folder of the site; is made.")
  private Path out = Path.of("site");

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by the command line. */
  public SiteCommand() {}

  @Override
  public Integer call() throws IOException {
    Pages pages = Pages.read(root);
    List<String> broken = pages.brokenLinks();
    int written = new Site(pages, out.toAbsolutePath().normalize()).write();
    broken.forEach(line -> spec.commandLine().getErr().println("broken: " + line));
    spec.commandLine().getOut().println(written + " pages in " + out);
    return broken.isEmpty() ? ExitCodes.GOOD : ExitCodes.BAD;
  }
}
