package io.cairn.cli;

import io.cairn.RestoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Turns what a command throws into one line {@code cairn: …} on stderr and an exit code; with
 * {@code --verbose} the stack follows. An error that users cannot put right is called a defect, and
 * its stack is always printed.
 */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final BooleanSupplier verbose;

  Errors(BooleanSupplier verbose) {
    this.verbose = verbose;
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    PrintWriter err = e.getCommandLine().getErr();
    err.println("cairn: " + oneLine(describe(e)));
    if (!UnmatchedArgumentException.printSuggestions(e, err)) {
      err.println("Try '" + e.getCommandLine().getCommandSpec().qualifiedName(" ") + " --help'.");
    }
    return ExitCodes.REFUSED;
  }

  /** Offers the values of an enum as a user writes them, which is their {@code toString()}. */
  private static String describe(ParameterException e) {
    ArgSpec given = e.getArgSpec();
    Iterable<String> candidates = given == null ? null : given.completionCandidates();
    return candidates == null || e.getValue() == null || !(given instanceof OptionSpec option)
        ? String.valueOf(e.getMessage())
        : "%s is '%s': give one of %s"
            .formatted(option.longestName(), e.getValue(), String.join(", ", candidates));
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine line, ParseResult parsed) {
    boolean refused = isForUsers(e);
    line.getErr().println("cairn: " + (refused ? "" : "defect: ") + oneLine(describe(e)));
    if (verbose.getAsBoolean() || !refused) {
      e.printStackTrace(line.getErr());
    }
    return refused ? ExitCodes.REFUSED : ExitCodes.DEFECT;
  }

  private static boolean isForUsers(Exception e) {
    return e instanceof IOException
        || e instanceof UncheckedIOException
        || e instanceof IllegalArgumentException
        || e instanceof RestoreException;
  }

  /** The message; those of {@code java.nio.file} are a bare path, and need the verb. */
  private static String describe(Throwable e) {
    if (e instanceof UncheckedIOException && e.getCause() != null) {
      return describe(e.getCause());
    }
    if (e instanceof FileSystemException file && file.getReason() == null) {
      if (e instanceof NoSuchFileException) {
        return "no such file or directory: " + e.getMessage();
      }
      if (e instanceof AccessDeniedException) {
        return "permission denied: " + e.getMessage();
      }
      if (e instanceof FileAlreadyExistsException) {
        return "exists already: " + e.getMessage();
      }
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", "; ");
  }
}
