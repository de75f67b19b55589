package io.cairn.core.codec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component that the sender clips if it is long, since the rest of the message counts without it:
 * a text for people, a value with such texts within, or an optional value, which is left out. The
 * receiver refuses a longer one.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Clipped {
  /** The most characters of each text, or the most bytes of the optional value. */
  int value() default 4000;
}
