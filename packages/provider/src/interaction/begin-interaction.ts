import { currentState } from '../library/request-state.ts';
import { snapshotOf } from '../sessions/session-record.ts';
import { spaceDelimitedAll } from '../text/space-delimited.ts';
import type { Challenges } from './challenges.ts';

const stringsOf = (params: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** Seals the next challenge where oidc-provider would store an interaction. */
export const createInteractionStart =
  (challenges: Challenges) =>
  async (payload: Record<string, unknown>): Promise<void> => {
    const request = currentState();
    if (request.flow) {
      request.next = await challenges.askConsent(request.flow, request.skipConsent);
      return;
    }
    const sent = payload.params as Record<string, unknown>;
    const params = stringsOf({ ...sent, resource: spaceDelimitedAll(sent.resource).join(' ') || undefined });
    if (request.quietly) params.prompt = 'none';
    const remembered =
      request.skipLogin && request.session ? { session: snapshotOf(request.session), skipLogin: true } : {};
    const { pushed, redirectUriOmitted } = request;
    const quotaExemption = pushed?.isAuthenticated ? pushed.id : undefined;
    const flow = { params, ...remembered, pushedId: pushed?.id, redirectUriOmitted };
    request.next = await challenges.begin(flow, { quotaExemption });
  };
