/**
 * The commands {@code cairn export} and {@code cairn import}: checkpoints of DL4J trainings as
 * files of other formats, and back. {@code io.cairn.dl4j.files} reads and writes the files.
 */
@NullMarked
package io.cairn.models;

import org.jspecify.annotations.NullMarked;
