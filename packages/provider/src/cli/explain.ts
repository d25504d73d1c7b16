import { scrubText } from '../telemetry/redact.ts';

/** One line, with the reason beneath an error of ours. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const reason =
    error.cause instanceof Error && !error.message.includes(error.cause.message) ? ` (${error.cause.message})` : '';
  return scrubText(`${error.message}${reason}`).replaceAll(/\s*\n\s*/g, ' ');
};
