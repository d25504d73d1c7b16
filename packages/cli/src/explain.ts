import { scrubText } from '@carnet/provider/server';
import { remedyIn } from '@carnet/provider/storage';

/** One line, with the reason beneath an error of ours. Of a store that somebody has to see to, what is to be done. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const remedy = remedyIn(error);
  if (remedy !== undefined) return scrubText(`The store can't be used as it is. ${remedy}`);
  const reason =
    error.cause instanceof Error && !error.message.includes(error.cause.message) ? ` (${error.cause.message})` : '';
  return scrubText(`${error.message}${reason}`).replaceAll(/\s*\n\s*/g, ' ');
};
