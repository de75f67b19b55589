package io.cairn.lab.study.reproduce;

import org.jspecify.annotations.Nullable;

/**
 * A remark for readers of an exhibit.
 *
 * @param exhibit the table or figure
 * @param kind what it is about
 * @param what the number that it explains, as in {@link Comparison#what}; or null
 * @param text for people
 */
record Note(String exhibit, Kind kind, @Nullable String what, String text) {

  /** Kinds of notes. */
  enum Kind {
    /** The paper prints something that does not fit the rest of it. */
    MISPRINT("Misprint"),
    /** How something was read that the paper leaves open. */
    READING("Reading"),
    /** Something that does not come out as published, or goes beyond it. */
    LIMIT("Difference");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
