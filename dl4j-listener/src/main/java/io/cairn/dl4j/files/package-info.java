/**
 * Networks in files of other formats: the zip of DL4J's {@code ModelSerializer}, and safetensors.
 * Writers publish a file whole or not at all. Readers trust no byte: they bound what they allocate
 * by the length of the file, and their messages name file, place and reason.
 */
@NullMarked
package io.cairn.dl4j.files;

import org.jspecify.annotations.NullMarked;
