package io.cairn.cli;

import java.util.concurrent.Callable;

/**
 * A command of {@code bin/cairn} that lives in another module. An implementation has a public
 * constructor without parameters, carries picocli's {@code @Command}, and is named in {@code
 * META-INF/services/io.cairn.cli.CairnCommand}; then the help lists it. It is made at every start,
 * so making it must be cheap.
 *
 * <p>{@code call} returns one of the {@link ExitCodes}, or throws: what a user can put right as an
 * {@link java.io.IOException}, {@link IllegalArgumentException} or {@link
 * io.cairn.RestoreException}, whose message is all that the user sees.
 */
public interface CairnCommand extends Callable<Integer> {}
