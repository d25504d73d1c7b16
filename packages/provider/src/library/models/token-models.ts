import type { FoundRecord, RecordKey, Write } from '@carnet/adapter-contract';
import { clockSkewSeconds } from '../../clock-skew.ts';
import type { Redemptions } from '../../flow/redemptions.ts';
import { recordId } from '../../storage/record-id.ts';
import { createFindActiveToken } from '../../tokens/active-token.ts';
import { tokenInModel, tokenRecord } from '../../tokens/token-record.ts';
import { grantKey, jwtIn, successorValue, type TokenKind, tokenKeys } from '../../tokens/token-value.ts';
import { currentState, rememberFailure } from '../request-state.ts';
import { type ModelAdapter, type ModelOptions, nothing, revokeOnce } from './model.ts';

/** Reads a token and its grant together. */
const readToken = async (value: string, kind: TokenKind): Promise<FoundRecord | undefined> => {
  const keys = tokenKeys(value);
  if (keys?.kind !== kind) return undefined;
  const { uow } = currentState();
  const [token] = await Promise.all([uow.read(keys.token), keys.grant && uow.read(keys.grant)]);
  return token;
};

const putToken = (value: string, payload: Record<string, unknown>): void => {
  const { grant, uow } = currentState();
  if (grant) grant.expiresAt = Math.max(grant.expiresAt, (payload.exp as number) * 1000);
  uow.write({ type: 'put', record: tokenRecord(value, payload) });
};

export const tokenModel = (kind: TokenKind, redemptions: Redemptions): ModelAdapter => ({
  ...nothing,
  upsert: async (value, payload) => putToken(value, payload),
  async find(value) {
    const record = await readToken(value, kind);
    return record && tokenInModel(record, value);
  },
  async destroy(value) {
    const keys = tokenKeys(value);
    if (keys) currentState().uow.writeAlways({ type: 'remove', key: keys.token });
  },
  revokeByGrantId: async (grantId) => revokeOnce(currentState(), redemptions, grantId),
});

/** Access tokens as userinfo and revocation find them. */
export const accessTokenModel = ({ jwts, redemptions, clients }: ModelOptions): ModelAdapter => {
  const findActiveToken = createFindActiveToken({
    read: (keys) => Promise.all(keys.map((key) => currentState().uow.read(key))),
    clients,
    jwts,
  });
  return {
    ...tokenModel('access_token', redemptions),
    async find(value) {
      const found = await rememberFailure(currentState(), () => findActiveToken(jwtIn(value) ?? value));
      if (found?.use !== 'access_token' || found.grant === undefined) return undefined;
      const { client, grant, subject: accountId, resource: aud, exp, iat, scope, cnf } = found;
      const { grantId } = grant.record;
      const members = { jti: value, kind: 'AccessToken', clientId: client.id, accountId, grantId };
      return { ...members, aud, exp, iat, scope, ...cnf };
    },
  };
};

const keyOf = ({ kind, id, grantId }: RecordKey): RecordKey => ({ kind, id, grantId });

const reuseKey = ({ id, grantId = '' }: RecordKey, ordinal: number): RecordKey => ({
  kind: 'replay',
  id: recordId(`refresh-reuse:${id}:${ordinal}`),
  grantId,
});

/**
 * What a further use of a refresh token within its grace period comes to: the claim of its number, so that there are as
 * many as there are numbers, and
 * nothing once the grant has been revoked, which removes the claim as well.
 */
export const reuseOf = (key: RecordKey, expiresAt: Date | null, ordinal: number): readonly Write[] => [
  { type: 'claim', record: { ...reuseKey(key, ordinal), payload: '{}', expiresAt } },
  // Changes nothing of the grant: it conflicts when there is none.
  { type: 'merge', key: grantKey(key.grantId ?? ''), members: [] },
];

export const refreshTokenModel = (options: ModelOptions): ModelAdapter => {
  const { refreshGraceSeconds, refreshGraceReuseCount, redemptions, keyRing, now } = options;
  const plain = tokenModel('refresh_token', redemptions);
  // Another machine may have recorded the first use, by a clock that is behind ours.
  const graceMs = (refreshGraceSeconds + clockSkewSeconds) * 1000;
  /** A successor that was used is proof that the response with it arrived: its predecessor has no second use. */
  const isUsed = async (value: string): Promise<boolean> =>
    (await readToken(value, 'refresh_token'))?.consumedAt !== null;

  /** The lowest number that no use has claimed yet, or nothing when there is none. */
  const nextReuse = async (record: FoundRecord): Promise<number | undefined> => {
    const numbers = Array.from({ length: refreshGraceReuseCount }, (_, index) => index + 1);
    const marks = await Promise.all(numbers.map((number) => currentState().uow.read(reuseKey(record, number))));
    return numbers.find((_, index) => marks[index] === undefined);
  };

  return {
    ...plain,
    async upsert(value, payload, ttlSeconds) {
      // Within the grace period the same successor is handed out again: it stands in the store, perhaps used by now.
      if (currentState().refresh?.successorExists) return;
      // Its successor is derived with today's secret wherever it is asked for, in whichever order the secrets are there.
      await plain.upsert(value, { ...payload, successorSecret: keyRing.secretName }, ttlSeconds);
    },
    async find(value) {
      const record = await readToken(value, 'refresh_token');
      if (record === undefined) return undefined;
      const used = record.consumedAt?.getTime();
      const { successorSecret, ...token } = tokenInModel(record, value);
      const secretName = successorSecret as string | undefined;
      const successor = successorValue({ grantId: record.grantId ?? '', value, secretName }, keyRing);
      const isRecent = used !== undefined && refreshGraceSeconds > 0 && now() - used <= graceMs;
      // Its successor and the marks of its uses are read together.
      const [successorIsUsed, ordinal] = isRecent
        ? await Promise.all([isUsed(successor), nextReuse(record)])
        : [true, undefined];
      const inGrace = !successorIsUsed && ordinal !== undefined;
      currentState().refresh = {
        successorExists: inGrace,
        secretName,
        reuse: inGrace ? { key: keyOf(record), expiresAt: record.expiresAt, ordinal } : undefined,
      };
      return { ...token, consumed: used !== undefined && !inGrace ? used : undefined };
    },
    // Rotation is conditional in the store (D2): whoever comes second finds it used, and gets here only in its grace.
    async consume(value) {
      const request = currentState();
      const key = tokenKeys(value)?.token;
      if (key === undefined) return;
      const { reuse } = request.refresh ?? {};
      if (reuse === undefined) return request.uow.write({ type: 'consume', key, at: new Date(now()) });
      for (const write of reuseOf(reuse.key, reuse.expiresAt, reuse.ordinal)) request.uow.write(write);
    },
  };
};
