import { scrubText } from '@carnet/provider/server';
import { remedyIn } from '@carnet/provider/storage';

/** An error in one line, with its cause. For a store that an operator must prepare, the line says how. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const remedy = remedyIn(error);
  if (remedy !== undefined) return scrubText(`The store can't be used as it is. ${remedy}`);
  const reason =
    error.cause instanceof Error && !error.message.includes(error.cause.message) ? ` (${error.cause.message})` : '';
  return scrubText(`${error.message}${reason}`).replaceAll(/\s*\n\s*/g, ' ');
};
