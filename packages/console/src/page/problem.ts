import { CarnetError } from '@carnet/provider';
import type { CommonMessages } from '../messages/common/en.ts';

type Problem = keyof CommonMessages['problems'];

/** An error as an operator sees it: a status, and a text. A message of `invalid_request` says which input is wrong. */
export const problemOf = (
  error: unknown,
  texts: CommonMessages['problems'],
): { readonly status: number; readonly message: string } => {
  const say = (status: number, problem: Problem) => ({ status, message: texts[problem] });
  if (!(error instanceof CarnetError)) return say(500, 'failed');
  if (error.status === 404) return say(404, 'notFound');
  if (error.status === 413) return say(413, 'tooLarge');
  if (error.status >= 500) return say(error.status, error.status === 503 ? 'unavailable' : 'failed');
  return { status: error.status, message: error.message };
};
