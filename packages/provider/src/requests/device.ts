import type { FoundRecord, RecordKey } from '@carnet/adapter-contract';
import { z } from 'zod';
import { CarnetError } from '../errors.ts';
import { type AttemptCounter, takeAttempt } from '../flow/attempt-limit.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { decisionKey, openRequest } from '../flow/polled-requests.ts';
import { groupedUserCode, readUserCode, userCodeKey } from '../flow/user-code.ts';
import { payloadReader } from '../storage/payload.ts';
import { parseWith } from '../validation.ts';
import { type AcceptDevice, acceptDevice } from './arguments.ts';
import { createPage, type Redirect, type RequestsDependencies } from './challenge.ts';

/** The requests that Carnet redirects browsers to your device page with (RFC 8628). */
export interface DeviceRequests {
  /**
   * Connects the browser to the device whose user code the user typed. The browser continues to the login page.
   *
   * @throws CarnetError `invalid_request` for an unknown user code, `too_many_attempts`, `not_found` for a challenge that
   * is not valid; GoneError with `redirectTo` for one that has expired or was used
   */
  accept(challenge: string, device: AcceptDevice): Promise<Redirect>;
}

/**
 * Attempts per challenge. A browser that starts again gets a new challenge; the limit of all browsers still applies.
 */
const attemptsPerChallenge = 5;
/**
 * Seconds: the window of the limit of all browsers. An attacker who exhausts it blocks other users no longer than this.
 */
const windowSeconds = 10;

const readReference = payloadReader(z.object({ request: z.string() }));

const unknownCode = () =>
  new CarnetError(
    'invalid_request',
    "The 'user_code' session could not be found or has expired or is otherwise malformed.",
  );

/** The attempts that are allowed: a few for one challenge, and for all challenges together a number per window. */
const countersFor = (
  { id, expiresAt }: FlowState,
  { device: { userCodesPerMinute }, now }: Pick<RequestsDependencies, 'device' | 'now'>,
): readonly AttemptCounter[] => {
  const window = Math.floor(now() / 1000 / windowSeconds);
  return [
    {
      name: `user_codes:${id}`,
      limit: attemptsPerChallenge,
      // An hour longer than the challenge is valid, because the clocks of processes differ.
      expiresAt: new Date((expiresAt + 3_600) * 1000),
    },
    {
      name: `user_codes:${window}`,
      limit: Math.max(1, Math.floor((userCodesPerMinute * windowSeconds) / 60)),
      expiresAt: new Date((window + 7) * windowSeconds * 1000),
    },
  ];
};

/**
 * Guessing of user codes is limited by `takeAttempt`, which counts an attempt before it looks (RFC 8628, section 5.1).
 */
export const createDeviceRequests = (deps: RequestsDependencies): DeviceRequests => {
  const { tokens, adapter, envelope, audit, now, refuse } = deps;
  const { open, redirect } = createPage(deps, 'device');

  const refused = (reason: 'unknown_user_code' | 'too_many_attempts', error: CarnetError): CarnetError => {
    audit({ action: 'device.user_code', outcome: 'denied', reason });
    return error;
  };

  const find = async (state: FlowState, code: string): Promise<FoundRecord | undefined> => {
    const found = await takeAttempt(adapter, countersFor(state, deps), [userCodeKey(code)]);
    if (found) return found[0];
    const text = 'Too many user codes were tried. Wait a moment, and start again.';
    throw refused('too_many_attempts', new CarnetError('too_many_attempts', text));
  };

  /** The request of the device, unless it was answered before. */
  const requestOf = async (record: FoundRecord | undefined): Promise<{ key: RecordKey; asked: FlowState }> => {
    if (record !== undefined) {
      const key: RecordKey = { kind: 'device', id: readReference(record).request };
      const [request, decision] = await adapter.read([key, decisionKey(key)]);
      const asked = request && openRequest(envelope, request);
      if (asked && decision === undefined && asked.expiresAt > now() / 1000) return { key, asked };
    }
    throw refused('unknown_user_code', unknownCode());
  };

  return {
    async accept(challenge, sent) {
      const state = await open(challenge);
      const { userCode } = parseWith(acceptDevice, sent, refuse);
      // A text that cannot be a user code reveals nothing, so it is not counted as an attempt.
      const code = readUserCode(userCode, deps.device.userCode);
      if (code === undefined) throw unknownCode();
      const { key, asked } = await requestOf(await find(state, code));
      const next: FlowState = {
        ...state,
        params: { ...asked.params, ...state.params },
        device: asked.device && { ...asked.device, userCode: groupedUserCode(code) },
        waiting: { kind: 'device', id: key.id, expiresAt: asked.expiresAt },
      };
      return redirect(next, await tokens.seal('device_verifier', next));
    },
  };
};
