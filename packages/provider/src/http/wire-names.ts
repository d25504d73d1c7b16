import { isObject } from '@carnet/adapter-contract/kit';
import { z } from 'zod';

export interface WireNamesOptions {
  /** The names of the members whose name is not their own in snake_case. */
  readonly names?: Readonly<Record<string, string>>;
  /** The schemas of the members that are objects with names of their own. */
  readonly nested?: Readonly<Record<string, z.ZodObject>>;
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The names of arguments in a body. In this process they have the same schema by other names. */
export const createWireNames = ({ names = {}, nested = {} }: WireNamesOptions = {}) => {
  const nameOf = (member: string): string => names[member] ?? snakeCase(member);

  /** The schema of a body, for the OpenAPI document. */
  const schemaOf = ({ shape }: z.ZodObject): z.ZodObject =>
    z.object(
      Object.fromEntries(
        Object.entries(shape).map(([member, schema]) => [
          nameOf(member),
          nested[member] ? schemaOf(nested[member]).optional() : schema,
        ]),
      ),
    );

  /**
   * Reads arguments from a body; they are not validated yet. Unknown members are left out, and so is `null`: SDKs of Ory
   * send it for members that are not set, and `[null]` for a list in which the user chose nothing.
   */
  // biome-ignore lint/suspicious/noExplicitAny: what a caller sent, to be validated by the function that gets it
  const argumentsReader = ({ shape }: z.ZodObject): ((body: unknown) => any) => {
    const members = Object.keys(shape).map((member) => {
      const read = nested[member] ? argumentsReader(nested[member]) : (value: unknown) => value;
      return { member, name: nameOf(member), read };
    });
    return (body) => {
      if (!isObject(body)) return body;
      const found: Record<string, unknown> = {};
      for (const { member, name, read } of members) {
        const value = body[name] ?? undefined;
        if (value === undefined) continue;
        found[member] = Array.isArray(value) ? value.filter((item) => item !== null) : read(value);
      }
      return found;
    };
  };

  return {
    /** The name of a member in a body; of a nested one with dots, such as `session.id_token`. */
    nameOf: (member: string): string => member.split('.').map(nameOf).join('.'),
    schemaOf,
    argumentsReader,
  };
};
