/** `@carnet/adapter-contract/settings`: the zod schemas that the sections of a configuration share. */
import { isIP } from 'node:net';
import { z } from 'zod';

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

/** An absolute http(s) URL without credentials and fragment. */
export const httpUrlSchema = z
  .string({ error: 'must be an absolute http or https URL' })
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an absolute http or https URL')
  .refine((text) => !URL.parse(text)?.username && !URL.parse(text)?.password, 'must not hold a user name or password')
  .refine((text) => !text.includes('#'), 'must not have a fragment (#)');

/** Whether a text is a network, such as `10.0.0.0/8`. */
export const isNetwork = (text: string): boolean => {
  const [address = '', bits = '', ...rest] = text.split('/');
  const version = isIP(address);
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
};

/** A list of addresses and networks. */
export const networksSchema = z.array(
  z.string().refine((text) => isIP(text) !== 0 || isNetwork(text), 'must be addresses, or networks such as 10.0.0.0/8'),
  {
    error: 'must be a list of addresses and networks',
  },
);

const secondsPer = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
/** Seconds. */
export const tenYears = 315_360_000;

const toSeconds = (text: string): number =>
  Number.parseInt(text, 10) * secondsPer[(/[smhd]$/.exec(text)?.[0] ?? 's') as keyof typeof secondsPer];

/**
 * A duration in a configuration: whole seconds, or text with a unit. Parsed to seconds; at most ten years by default.
 */
export const durationSchema = (minimumSeconds: number, maximumSeconds = tenYears) => {
  const most = maximumSeconds === tenYears ? 'ten years' : `${maximumSeconds} seconds`;
  const message = `must be a number of seconds, or a duration such as "30s", "10m", "720h" or "30d", of at most ${most}`;
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,12}[smhd]?$/)
          .transform(toSeconds),
      ],
      { error: message },
    )
    .refine((seconds) => Number.isInteger(seconds) && seconds <= maximumSeconds, message)
    .refine((seconds) => seconds >= minimumSeconds, `must be at least ${minimumSeconds} seconds`);
};
