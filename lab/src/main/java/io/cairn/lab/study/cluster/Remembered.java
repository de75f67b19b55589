package io.cairn.lab.study.cluster;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries that objects of this project remember: the sizes of all maps and collections that are
 * reachable from some objects, by the field that holds them. Sizes of several objects of one class
 * are added. The walk enters classes of this project, collections and arrays, and no others. It
 * does not count what a simulation remembers.
 */
final class Remembered {
  private static final String PROJECT = "io.cairn.";
  private static final String SIMULATION = "io.cairn.lab.";

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> open = new ArrayDeque<>();
  private final SortedMap<String, Integer> sizes = new TreeMap<>();

  private Remembered() {}

  /** The sizes; nothing changes these objects meanwhile. */
  static SortedMap<String, Integer> by(Object... roots) {
    Remembered remembered = new Remembered();
    List.of(roots).forEach(remembered::visit);
    while (!remembered.open.isEmpty()) {
      remembered.enter(remembered.open.remove());
    }
    return remembered.sizes;
  }

  private void visit(@Nullable Object object) {
    if (object != null && seen.add(object)) {
      open.add(object);
    }
  }

  private void enter(Object object) {
    if (object instanceof Map<?, ?> map) {
      map.keySet().forEach(this::visit);
      map.values().forEach(this::visit);
    } else if (object instanceof Collection<?> collection) {
      collection.forEach(this::visit);
    } else if (object instanceof Optional<?> optional) {
      optional.ifPresent(this::visit);
    } else if (object instanceof Object[] array) {
      for (Object element : array) {
        visit(element);
      }
    } else if (object.getClass().getName().startsWith(PROJECT)) {
      enterFields(object);
    }
  }

  private void enterFields(Object object) {
    for (Class<?> type = object.getClass();
        type != null && type.getName().startsWith(PROJECT);
        type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!field.getType().isPrimitive() && !Modifier.isStatic(field.getModifiers())) {
          count(type, field, read(object, field));
        }
      }
    }
  }

  private void count(Class<?> holder, Field field, @Nullable Object value) {
    int size =
        value instanceof Map<?, ?> map
            ? map.size()
            : value instanceof Collection<?> collection ? collection.size() : 0;
    if (size > 0 && !holder.getName().startsWith(SIMULATION)) {
      String name = holder.getName().substring(PROJECT.length()) + "." + field.getName();
      sizes.merge(name.replaceAll("0x[0-9a-f]+", ""), size, Integer::sum);
    }
    visit(value);
  }

  private static @Nullable Object read(Object object, Field field) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot read " + field, e);
    }
  }
}
