import { z } from 'zod';

/** The schemas of settings that many sections of the configuration share. */

/** A section of the configuration. It may be left out, because each member has a default or is optional. */
export const section = <Members extends z.ZodRawShape>(
  members: Members,
): z.ZodPrefault<z.ZodObject<Members, z.core.$strict>> => z.strictObject(members).prefault({} as never);

export const flagSchema = z.boolean({ error: 'must be true or false' });

/** A whole number, with both bounds included. */
export const wholeNumberSchema = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int({ error: message }).min(least, message).max(most, message);
};

/** One of two or more words. */
export const choiceSchema = <const Words extends readonly [string, string, ...string[]]>(...words: Words) => {
  const quoted = words.map((word) => `"${word}"`);
  return z.enum(words, { error: `must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}` });
};

/** A text that matches a pattern. */
export const matchingSchema = (pattern: RegExp, message: string) =>
  z.string({ error: message }).regex(pattern, message);
