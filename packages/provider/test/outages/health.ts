import { expect } from 'vitest';
import { introspect } from '../login.ts';
import { redemption } from '../stores/token-requests.ts';
import { clients } from '../threat-target.ts';
import { askAll, each, type StoreRequest, storeRequests } from './requests.ts';
import { newCode, type Stage } from './stage.ts';

const { app } = clients;

/** `ready`, or what is said to be wrong. */
export const readiness = async ({ provider }: Stage): Promise<string> => {
  const response = await fetch(`${provider.admin}/health/ready`);
  const { errors } = (await response.json()) as { errors?: { storage: string } };
  return response.status === 200 ? 'ready' : `${response.status}: ${errors?.storage}`;
};

export const isAlive = async ({ provider }: Stage): Promise<boolean> =>
  (await fetch(`${provider.admin}/health/alive`)).status === 200;

/** The client as it is now: for some seconds it need not be looked up. */
export const refreshClient = async ({ provider }: Stage): Promise<void> => {
  expect((await fetch(`${provider.admin}/admin/clients/${app.id}`)).status).toBe(200);
};

/** What needs no store is answered. Answers with the code that a first login ended with. */
export const expectStoreless = async (stage: Stage): Promise<string> => {
  const { issuer } = stage.provider;
  const code = await newCode(stage, 'somebody new');
  expect(code).not.toBe('');
  expect(await isAlive(stage)).toBe(true);
  for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json'])
    expect((await fetch(issuer + path)).status).toBe(200);
  return code;
};

/** What needs the store is told that it is not available; the process is alive, and not ready. */
export const expectUnavailable = async (
  stage: Stage,
  requests: readonly StoreRequest[] = storeRequests,
): Promise<void> => {
  expect(await askAll(stage, requests)).toEqual(each('unavailable', requests));
  expect(await isAlive(stage)).toBe(true);
  expect(await readiness(stage)).toMatch(/^503/);
};

/** Within 10 seconds everything is answered again, a whole login included. */
export const expectRecovery = async (stage: Stage): Promise<void> => {
  await expect
    .poll(async () => ({ readiness: await readiness(stage), ...(await askAll(stage)) }), {
      timeout: 10_000,
      interval: 50,
    })
    .toEqual({ readiness: 'ready', ...each('answered') });
  const { status, body } = await redemption(await newCode(stage, 'somebody new'))(stage.provider);
  expect(status).toBe(200);
  expect(await introspect(stage.provider, body.access_token)).toMatchObject({ active: true, sub: 'somebody new' });
};
