import type { FoundRecord } from '@carnet/adapter-contract';
import type { Envelope } from '../flow/envelope.ts';
import { sidOf } from '../flow/flow-id.ts';
import type { KeyRing } from '../flow/key-ring.ts';
import type { Redemptions } from '../flow/redemptions.ts';
import { fetchSpilled } from '../flow/spill.ts';
import { decodeState } from '../flow/state-codec.ts';
import { recordId } from '../storage/record-id.ts';
import { codePayload, type DecidedFlow, grantModel, isDecided, pendingGrant, sessionEndOf } from './flow-view.ts';
import { currentState, type RequestState } from './request-state.ts';
import { isLiveSession, sessionKey, snapshotOf } from './sessions.ts';
import { codePrefix, grantKey, jwtIn, type TokenKind, tokenKeys } from './token-value.ts';

/** What oidc-provider asks of storage, one model at a time; answered from and gathered in the unit of work. */
export interface ModelAdapter {
  upsert(id: string, payload: Record<string, unknown>, ttlSeconds: number): Promise<void>;
  find(id: string): Promise<Record<string, unknown> | undefined>;
  findByUid(uid: string): Promise<undefined>;
  findByUserCode(userCode: string): Promise<undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

export interface ModelOptions {
  readonly envelope: Envelope;
  readonly ttl: {
    readonly loginConsentRequest: number;
    readonly authenticationSession: number;
    readonly authCode: number;
  };
  readonly refreshGraceSeconds: number;
  readonly redemptions: Redemptions;
  readonly keyRing: Pick<KeyRing, 'secretName'>;
  readonly now: () => number;
  /** Called instead of storing an interaction: seals the next challenge. */
  readonly beginInteraction: (payload: Record<string, unknown>) => Promise<void>;
  /** Opens a JWT access token. */
  readonly openJwt: (value: string) => Record<string, unknown> | undefined;
}

const nothing: ModelAdapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

const revokeOnce = (state: RequestState, redemptions: Redemptions, grantId: string): void => {
  if (state.uow.writes().some((write) => write.type === 'revoke' && write.grantId === grantId)) return;
  // Holds even when the request is answered with an error: that is when tokens are revoked.
  for (const write of redemptions.revocation(grantId)) state.uow.writeAlways(write);
};

/** Nothing of a session is written by oidc-provider: it is created once, by the flow that completes. */
const sessionModel: ModelAdapter = {
  ...nothing,
  async find(sid) {
    const request = currentState();
    const { flow } = request;
    // On the way back the person is who the verifier says; the session cookie has no part in it.
    if (flow) return { jti: sidOf(flow), uid: sidOf(flow), kind: 'Session' };
    const record = await request.uow.read(sessionKey(sid));
    if (!isLiveSession(record)) {
      request.sessionIsGone = true;
      return undefined;
    }
    request.session = record;
    const { subject, authTime, acr, amr } = snapshotOf(record);
    return { jti: sid, uid: sid, kind: 'Session', accountId: subject, loginTs: authTime, acr, amr };
  },
};

/** An interaction is the sealed flow: saved into a URL, found in the verifier. */
const interactionModel = ({ beginInteraction }: ModelOptions): ModelAdapter => ({
  ...nothing,
  upsert: async (_id, payload) => beginInteraction(payload),
  async find(id) {
    const { flow } = currentState();
    if (flow === undefined || flow.id !== id) return undefined;
    const { login, consent, rejection, params } = flow;
    const result = rejection
      ? { error: rejection.error, error_description: rejection.description }
      : {
          login: login && { accountId: login.subject, ts: login.authTime, acr: login.acr, amr: login.amr },
          ...(consent ? { consent: {} } : {}),
        };
    return {
      jti: id,
      // No `exp`: that the flow has not expired was found out when it was opened, clocks that differ granted for.
      kind: 'Interaction',
      // The granted scope stands in for the requested one: a login app may grant less, and also more.
      params: consent ? { ...params, scope: consent.scopes.join(' ') } : { ...params },
      result,
      returnTo: '',
      trusted: [],
    };
  },
});

const codeModel = ({ envelope, ttl, redemptions, now }: ModelOptions): ModelAdapter => {
  const open = async (value: string): Promise<DecidedFlow | undefined> => {
    if (!value.startsWith(codePrefix)) return undefined;
    const bytes = envelope.open('authorization_code', value.slice(codePrefix.length));
    const decoded = bytes && decodeState(bytes);
    if (decoded === undefined) return undefined;
    const { uow } = currentState();
    const state = decoded.spilled ? await fetchSpilled(envelope, uow.read, decoded) : decoded.state;
    return state && isDecided(state) ? state : undefined;
  };

  return {
    ...nothing,
    async find(value) {
      const state = await open(value);
      if (state === undefined) return undefined;
      const request = currentState();
      const grant = pendingGrant(state);
      request.uow.know(grant);
      request.flow = state;
      return codePayload(state, value);
    },
    // The claim is the redemption: of any number of parallel ones, the store lets exactly one through (D1, D5, D11).
    async consume() {
      const request = currentState();
      const state = request.flow as DecidedFlow;
      const grant = pendingGrant(state);
      const { grantId = '', clientId } = grant;
      request.uow.write({ type: 'claim', record: redemptions.mark(grantId, clientId) });
      if (state.skipLogin || (sessionEndOf(state, ttl.authenticationSession) ?? 0) > now() / 1000) {
        // A code outlives no logout: the merge fails when its session has ended (D4).
        const key = { kind: 'session', id: recordId(sidOf(state)) } as const;
        request.uow.write({ type: 'merge', key, members: [clientId ?? ''] });
      }
      request.grant = { record: grant, expiresAt: 0 };
    },
    revokeByGrantId: async (grantId) => revokeOnce(currentState(), redemptions, grantId),
  };
};

const grantsModel = ({ redemptions }: ModelOptions): ModelAdapter => ({
  ...nothing,
  async find(grantId) {
    const request = currentState();
    const record = await request.uow.read(grantKey(grantId));
    if (record === undefined) return undefined;
    request.grant ??= { record, expiresAt: record.expiresAt?.getTime() ?? 0 };
    return grantModel(record);
  },
  destroy: async (grantId) => revokeOnce(currentState(), redemptions, grantId),
});

/** Reads a token and its grant together. */
const readToken = async (value: string, kind: TokenKind): Promise<FoundRecord | undefined> => {
  const keys = tokenKeys(value);
  if (keys?.kind !== kind) return undefined;
  const { uow } = currentState();
  const [token] = await Promise.all([uow.read(keys.token), keys.grant && uow.read(keys.grant)]);
  return token;
};

const inModel = (record: FoundRecord, value: string): Record<string, unknown> => ({
  ...(JSON.parse(record.payload) as Record<string, unknown>),
  jti: value,
  clientId: record.clientId,
  accountId: record.subject,
  grantId: record.grantId,
});

const putToken = (value: string, payload: Record<string, unknown>): void => {
  const keys = tokenKeys(value);
  if (keys === undefined) throw new TypeError('token value of an unknown shape');
  const request = currentState();
  const { jti, kind, clientId, accountId, grantId, ...rest } = payload;
  const expiresAt = (payload.exp as number) * 1000;
  if (request.grant) request.grant.expiresAt = Math.max(request.grant.expiresAt, expiresAt);
  request.uow.write({
    type: 'put',
    record: {
      ...keys.token,
      payload: JSON.stringify(rest),
      expiresAt: new Date(expiresAt),
      clientId: clientId as string,
      subject: accountId as string | undefined,
    },
  });
};

const tokenModel = (kind: TokenKind, redemptions: Redemptions): ModelAdapter => ({
  ...nothing,
  upsert: async (value, payload) => putToken(value, payload),
  async find(value) {
    const record = await readToken(value, kind);
    return record && inModel(record, value);
  },
  async destroy(value) {
    const keys = tokenKeys(value);
    if (keys) currentState().uow.writeAlways({ type: 'remove', key: keys.token });
  },
  revokeByGrantId: async (grantId) => revokeOnce(currentState(), redemptions, grantId),
});

const accessTokenModel = ({ openJwt, redemptions }: ModelOptions): ModelAdapter => {
  const opaque = tokenModel('access_token', redemptions);
  return {
    ...opaque,
    async find(value) {
      const jwt = jwtIn(value);
      return jwt === undefined ? opaque.find(value) : openJwt(jwt);
    },
  };
};

/** What a second use of a refresh token within its grace period claims: there is exactly one. */
export const reuseKey = (refreshTokenRecordId: string) =>
  ({ kind: 'replay', id: recordId(`refresh-reuse:${refreshTokenRecordId}`) }) as const;

const refreshTokenModel = ({ refreshGraceSeconds, redemptions, keyRing, now }: ModelOptions): ModelAdapter => {
  const plain = tokenModel('refresh_token', redemptions);
  return {
    ...plain,
    async upsert(value, payload, ttlSeconds) {
      // Within the grace period the same successor is handed out again: it stands in the store, perhaps used by now.
      if (currentState().successorExists) return;
      // Its successor is derived with today's secret wherever it is asked for, in whichever order the secrets are there.
      await plain.upsert(value, { ...payload, successorSecret: keyRing.secretName }, ttlSeconds);
    },
    async find(value) {
      const record = await readToken(value, 'refresh_token');
      if (record === undefined) return undefined;
      const used = record.consumedAt?.getTime();
      const inGrace = used !== undefined && now() - used <= refreshGraceSeconds * 1000;
      const { successorSecret, ...token } = inModel(record, value);
      Object.assign(currentState(), { successorExists: inGrace, successorSecret });
      return { ...token, consumed: used !== undefined && !inGrace ? used : undefined };
    },
    // Rotation is conditional in the store (D2): whoever comes second finds it used, and gets here only in its grace.
    async consume(value) {
      const request = currentState();
      const key = tokenKeys(value)?.token;
      if (key === undefined) return;
      if (!request.successorExists) return request.uow.write({ type: 'consume', key, at: new Date(now()) });
      const record = await request.uow.read(key);
      request.uow.write({
        type: 'claim',
        record: { ...reuseKey(key.id), grantId: key.grantId, payload: '{}', expiresAt: record?.expiresAt ?? null },
      });
    },
  };
};

/** Single use of a client assertion's or a DPoP proof's `jti` is a claim (D6), and holds even if the request fails. */
const replayModel: ModelAdapter = {
  ...nothing,
  async upsert(id, _payload, ttlSeconds) {
    currentState().uow.writeAlways({
      type: 'claim',
      record: {
        kind: 'replay',
        id: recordId(id),
        payload: '{}',
        expiresAt: new Date(Date.now() + Math.max(1, ttlSeconds) * 1000),
      },
    });
  },
};

/** oidc-provider's models, by name. What is not named here belongs to features that are off. */
export const createModels = (options: ModelOptions): Readonly<Record<string, ModelAdapter>> => ({
  Session: sessionModel,
  Interaction: interactionModel(options),
  AuthorizationCode: codeModel(options),
  Grant: grantsModel(options),
  AccessToken: accessTokenModel(options),
  RefreshToken: refreshTokenModel(options),
  ClientCredentials: tokenModel('client_credentials', options.redemptions),
  ReplayDetection: replayModel,
});
