import type { FoundRecord, RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import { z } from 'zod';
import { CarnetError, GoneError } from '../errors.ts';
import { type AttemptCounter, takeAttempt } from '../flow/attempt-limit.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { decisionKey, openRequest } from '../flow/polled-requests.ts';
import { deviceVerificationPath, issuerUrl, urlWith } from '../flow/urls.ts';
import { readUserCode, type UserCodeAlphabet, userCodeKey } from '../flow/user-code.ts';
import type { HttpRequest, Route } from '../http/types.ts';
import type { Audit } from '../telemetry/audit.ts';
import { challengeOf, parseBody } from './challenge.ts';
import { headlessDescriptions as about } from './descriptions.ts';
import type { HeadlessDependencies } from './index.ts';
import { acceptUserCodeBody } from './wire.ts';

export interface DeviceOptions {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly audit: Audit;
  readonly userCode: UserCodeAlphabet;
  readonly userCodesPerMinute: number;
}

type DeviceDependencies = Pick<HeadlessDependencies, 'issuer' | 'tokens' | 'envelope' | 'finished' | 'now'> &
  DeviceOptions;

/** Of one browser that was sent to the page. It may start again; then the limit for everybody counts. */
const attemptsPerChallenge = 5;
/** Whoever uses up what everybody has keeps them out no longer than this. */
const windowSeconds = 10;

const payloadSchema = z.object({ request: z.string() });

const unknownCode = () =>
  new CarnetError(
    'invalid_request',
    "The 'user_code' session could not be found or has expired or is otherwise malformed.",
  );

/** What may be tried: little in one flow, and in a short time by everybody together. */
const countersFor = (
  { id, expiresAt }: FlowState,
  { userCodesPerMinute, now }: DeviceDependencies,
): readonly AttemptCounter[] => {
  const window = Math.floor(now() / 1000 / windowSeconds);
  return [
    {
      name: `user_codes:${id}`,
      limit: attemptsPerChallenge,
      // Longer than the challenge opens, whoever's clock is asked.
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
 * The headless part of the device flow: a user code for a challenge. Guessing is limited by `takeAttempt`, which counts
 * before it looks (RFC 8628, section 5.1).
 */
export const deviceRoutes = (deps: DeviceDependencies): Route[] => {
  const { issuer, tokens, finished, adapter, envelope, audit, now } = deps;
  const start = issuerUrl(issuer, deviceVerificationPath);
  const goOn = urlWith(start, 'device_verifier');

  const open = async (request: HttpRequest): Promise<FlowState> => {
    const opened = await tokens.open('device_challenge', challengeOf(request, 'device_challenge'));
    if (opened.status === 'invalid') throw new CarnetError('not_found', '');
    if (opened.status === 'expired' || finished.has(opened.state.id)) {
      throw new GoneError(start.href, 'The request has expired or was used. Start again.');
    }
    return opened.state;
  };

  const refused = (reason: 'unknown_user_code' | 'too_many_attempts', error: CarnetError): CarnetError => {
    audit({ action: 'device.user_code', outcome: 'denied', reason });
    return error;
  };

  const look = async (state: FlowState, code: string): Promise<FoundRecord | undefined> => {
    const found = await takeAttempt(adapter, countersFor(state, deps), [userCodeKey(code)]);
    if (found) return found[0];
    const text = 'Too many user codes were tried. Wait a moment, and start again.';
    throw refused('too_many_attempts', new CarnetError('too_many_attempts', text));
  };

  /** The device's request, while nobody has answered it. */
  const requestOf = async (record: FoundRecord | undefined): Promise<{ key: RecordKey; asked: FlowState }> => {
    if (record !== undefined) {
      const key: RecordKey = { kind: 'device', id: payloadSchema.parse(JSON.parse(record.payload)).request };
      const [request, decision] = await adapter.read([key, decisionKey(key)]);
      const asked = request && openRequest(envelope, request);
      if (asked && decision === undefined && asked.expiresAt > now() / 1000) return { key, asked };
    }
    throw refused('unknown_user_code', unknownCode());
  };

  const accept: Route['handle'] = async (request) => {
    const state = await open(request);
    const { user_code: typed } = parseBody(acceptUserCodeBody, await request.json());
    // What can be no code tells nobody anything, and is not counted.
    const code = readUserCode(typed, deps.userCode);
    if (code === undefined) throw unknownCode();
    const { key, asked } = await requestOf(await look(state, code));
    const verifier = await tokens.seal('device_verifier', {
      ...state,
      params: { ...asked.params, ...state.params },
      waiting: { kind: 'device', id: key.id, expiresAt: asked.expiresAt },
    });
    return { status: 200, body: { redirect_to: goOn(verifier) } };
  };

  return [
    {
      method: 'PUT',
      path: '/admin/oauth2/auth/requests/device/accept',
      description: about.acceptUserCode,
      handle: accept,
    },
  ];
};
