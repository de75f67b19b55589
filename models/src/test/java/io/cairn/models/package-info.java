/** Tests of the commands that export and import networks. */
@NullMarked
package io.cairn.models;

import org.jspecify.annotations.NullMarked;
