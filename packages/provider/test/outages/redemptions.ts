import { expect } from 'vitest';
import { introspect } from '../login.ts';
import { type Answer, redemption, type TokenRequest } from '../stores/token-requests.ts';
import { newCode, type Stage } from './stage.ts';

interface Attempt {
  readonly request: TokenRequest;
  readonly answer: Answer;
}

/** Codes that are redeemed while the store fails. */
export interface Redemptions {
  /** Sends one request for each, all at once; answers with the statuses. */
  sendAll(): Promise<readonly number[]>;
  /** Tries those again that were told to. Law: they get tokens, or `invalid_grant`; and what was given works. */
  settle(): Promise<void>;
  /** Law: none of the codes works once more. */
  expectUsed(): Promise<void>;
}

const expectRefused = ({ status, body }: Answer): void => {
  expect([status, body.error]).toEqual([400, 'invalid_grant']);
};

const settle = async ({ provider }: Stage, { request, answer }: Attempt): Promise<void> => {
  if (answer.status !== 200) expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
  const last = answer.status === 200 ? answer : await request(provider);
  if (last.status !== 200) return expectRefused(last);
  expect(await introspect(provider, last.body.access_token)).toMatchObject({ active: true });
};

/** `remember`: of logins that are remembered. */
export const prepareRedemptions = async (stage: Stage, count: number, remember = false): Promise<Redemptions> => {
  const logins = Array.from({ length: count }, (_, index) => newCode(stage, `person-${index}`, remember));
  const codes = await Promise.all(logins);
  let attempts: readonly Attempt[] = [];
  return {
    async sendAll() {
      attempts = await Promise.all(
        codes.map(async (code) => {
          const request = redemption(code);
          return { request, answer: await request(stage.provider) };
        }),
      );
      return attempts.map(({ answer }) => answer.status);
    },
    async settle() {
      for (const attempt of attempts) await settle(stage, attempt);
    },
    async expectUsed() {
      for (const { request } of attempts) expectRefused(await request(stage.provider));
    },
  };
};
