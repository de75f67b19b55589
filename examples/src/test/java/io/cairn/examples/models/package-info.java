/** Tests of the commands that export and import networks. */
@NullMarked
package io.cairn.examples.models;

import org.jspecify.annotations.NullMarked;
