import { z } from 'zod';

/** A whole number in a configuration, with both bounds included. */
export const wholeNumberSchema = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int({ error: message }).min(least, message).max(most, message);
};
