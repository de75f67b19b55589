package io.cairn.core.codec;

import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Derives forms from types, each once. Not thread-safe. */
final class Forms {
  private static final int UNCLIPPED = Integer.MAX_VALUE;

  private static final Map<Class<?>, Form> SIMPLE =
      Map.of(
          Boolean.class, Form.FLAG,
          Integer.class, Form.INT,
          Long.class, Form.LONG,
          int[].class, Form.INTS,
          ByteBuffer.class, Form.BYTES);

  private final Map<Key, Form> known = new HashMap<>();
  private final Set<Key> begun = new HashSet<>();

  private record Key(Type type, int most) {}

  /**
   * The form of a type.
   *
   * @throws IllegalArgumentException naming the type, if it, or one within, has no form
   */
  Form of(Type type) {
    return of(type, UNCLIPPED);
  }

  private Form of(Type type, int most) {
    Key key = new Key(type, most);
    Form before = known.get(key);
    if (before != null) {
      return before;
    } else if (!begun.add(key)) {
      throw new IllegalArgumentException(type + " has no form: bytes could nest it without end");
    }
    Form form = derive(type, most);
    known.put(key, form);
    return form;
  }

  private Form derive(Type type, int most) {
    if (type instanceof ParameterizedType generic) {
      return ofGeneric(generic, most);
    } else if (type instanceof Class<?> plain) {
      Form simple = SIMPLE.get(MethodType.methodType(plain).wrap().returnType());
      if (simple != null) {
        return simple;
      } else if (plain == String.class) {
        return Form.text(most);
      } else if (plain.isEnum()) {
        return Form.constant(plain);
      } else if (plain.isSealed()) {
        return ofSealed(plain, most);
      } else if (plain.isRecord()) {
        return ofRecord(plain, most);
      }
    }
    throw new IllegalArgumentException("no form of " + type);
  }

  private Form ofGeneric(ParameterizedType generic, int most) {
    Type raw = generic.getRawType();
    Type[] parts = generic.getActualTypeArguments();
    if (raw == Optional.class) {
      return Form.optional(of(parts[0]), most);
    } else if (raw == List.class) {
      return Form.many(of(parts[0], most), ArrayList::new);
    } else if (raw == Set.class) {
      return Form.many(of(parts[0], most), LinkedHashSet::new);
    } else if (raw == Map.class) {
      return Form.map(of(parts[0], most), of(parts[1], most), LinkedHashMap::new);
    } else if (raw == SortedMap.class) {
      return Form.map(of(parts[0], most), of(parts[1], most), TreeMap::new);
    }
    throw new IllegalArgumentException("no form of " + generic);
  }

  /**
   * The records of a sealed type, at any depth, by their names: the compiler's order of permitted
   * types depends on the files that it compiles together.
   */
  static List<Class<?>> records(Class<?> sealed) {
    return leaves(sealed)
        .distinct()
        .sorted(Comparator.<Class<?>, String>comparing(Class::getName))
        .toList();
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(Forms::leaves)
        : Stream.of(type);
  }

  private Form ofSealed(Class<?> type, int most) {
    List<Class<?>> records = records(type);
    List<Form> forms = records.stream().map(one -> of(one, most)).toList();
    return new Form(
        1,
        (out, value) -> {
          int number = records.indexOf(value.getClass());
          out.writeByte(1 + number);
          forms.get(number).writer().write(out, value);
        },
        in -> {
          int code = in.readUnsignedByte();
          return in.within(kind(type, records, code).getSimpleName(), forms.get(code - 1));
        });
  }

  /** The record of a sealed type with this code. */
  static Class<?> kind(Class<?> sealed, List<Class<?>> records, int code) throws IOException {
    if (code < 1 || code > records.size()) {
      throw new IOException("no " + sealed.getSimpleName() + " has kind " + code);
    }
    return records.get(code - 1);
  }

  private Form ofRecord(Class<?> type, int most) {
    RecordComponent[] components = type.getRecordComponents();
    List<Form> forms = Stream.of(components).map(one -> ofComponent(one, most)).toList();
    Constructor<?> constructor = constructor(type, components);
    return new Form(
        forms.stream().mapToInt(Form::leastBytes).sum(),
        (out, value) -> {
          for (int i = 0; i < components.length; i++) {
            forms.get(i).writer().write(out, get(components[i].getAccessor(), value));
          }
        },
        in -> {
          Object[] values = new Object[components.length];
          for (int i = 0; i < components.length; i++) {
            values[i] = in.within(components[i].getName(), forms.get(i));
          }
          return make(constructor, values);
        });
  }

  private Form ofComponent(RecordComponent component, int most) {
    component.getAccessor().setAccessible(true);
    Clipped clipped = component.getAnnotation(Clipped.class);
    return of(component.getGenericType(), clipped == null ? most : clipped.value());
  }

  private static Constructor<?> constructor(Class<?> type, RecordComponent[] components) {
    try {
      Constructor<?> constructor =
          type.getDeclaredConstructor(
              Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      return constructor;
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(type + " is no record", e);
    }
  }

  private static Object get(Method accessor, Object value) {
    try {
      return accessor.invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(accessor + " fails", e);
    }
  }

  private static Object make(Constructor<?> constructor, Object[] components) {
    try {
      return constructor.newInstance(components);
    } catch (ReflectiveOperationException e) {
      if (e.getCause() instanceof RuntimeException refusal) {
        throw new IllegalArgumentException(refusal.getMessage(), refusal);
      } else if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(constructor + " fails", e);
    }
  }
}
