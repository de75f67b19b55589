/**
 * {@code cairn schedule}: problems in, plans out, both as JSON lines, and plans as pictures; the
 * form in which topologies are written down. What decides where bytes go is {@code
 * io.cairn.core.flow}.
 */
@NullMarked
package io.cairn.lab.schedule;

import org.jspecify.annotations.NullMarked;
