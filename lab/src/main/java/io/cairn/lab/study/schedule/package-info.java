/**
 * {@code cairn-lab schedule}: problems in, plans out, both as JSON lines, and plans as pictures;
 * the form in which topologies are written down. The deciding code is {@code io.cairn.core.flow}.
 */
@NullMarked
package io.cairn.lab.study.schedule;

import org.jspecify.annotations.NullMarked;
