import type { z } from 'zod';

type Kind = z.ZodObject<{ readonly kind: z.ZodLiteral<string> }>;

/** The members of each kind of item that are secrets: each has an environment variable of its own. */
export const secretMembersOf = (kinds: readonly Kind[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    kinds.map(({ shape }) => [
      shape.kind.value,
      Object.entries<z.ZodType>(shape).flatMap(([name, member]) => (member.meta()?.secret === undefined ? [] : [name])),
    ]),
  );
