import type { z } from 'zod';
import { CarnetError, GoneError } from '../errors.ts';
import type { FinishedFlows } from '../flow/finished-flows.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { FlowPurpose, FlowTokens } from '../flow/flow-tokens.ts';
import { restartUrl } from '../flow/urls.ts';
import type { HttpRequest } from '../http/types.ts';

/** One body for everything that does not open: which of the reasons it was is nobody's business. */
const notFound = () => new CarnetError('not_found', '');

/** A challenge, under its name or the older `challenge`. */
export const challengeOf = ({ query }: Pick<HttpRequest, 'query'>, name: string): string => {
  const values = [...query.getAll(name), ...query.getAll('challenge')];
  const [challenge] = values;
  if (challenge === undefined || challenge === '') {
    throw new CarnetError('invalid_request', `Query parameter '${name}' is not defined but should have been.`);
  }
  if (values.length > 1) throw new CarnetError('invalid_request', `Query parameter '${name}' is given more than once.`);
  return challenge;
};

export interface ChallengeDependencies {
  readonly issuer: string;
  readonly tokens: FlowTokens;
  readonly finished: FinishedFlows;
}

/** Opens a challenge. Throws `not_found`, or `gone` with where to start again. */
export const openChallenge = async (
  { issuer, tokens, finished }: ChallengeDependencies,
  purpose: FlowPurpose,
  challenge: string,
): Promise<FlowState> => {
  const opened = await tokens.open(purpose, challenge);
  if (opened.status === 'invalid') throw notFound();
  const { state } = opened;
  if (opened.status === 'expired' || finished.has(state.id)) {
    throw new GoneError(restartUrl(issuer, state), 'The request has expired or was used. Start again.');
  }
  return state;
};

/** A body by its schema. Throws `invalid_request` naming the first field that is wrong. */
export const parseBody = <T extends z.ZodType>(schema: T, body: unknown): z.output<T> => {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new CarnetError('invalid_request', `Field '${issue?.path.join('.')}': ${issue?.message ?? 'is not valid'}.`);
};
