package io.cairn.lab;

import io.cairn.cli.CairnCommand;

/**
 * A command of {@code bin/cairn-lab}, with the contract of {@link CairnCommand}, but named in
 * {@code META-INF/services/io.cairn.lab.LabCommand}.
 */
public interface LabCommand extends CairnCommand {}
