import { z } from 'zod';

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
