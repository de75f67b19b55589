/** The doubles themselves, and what commits and transfers do over them. */
@NullMarked
package io.cairn.testkit;

import org.jspecify.annotations.NullMarked;
