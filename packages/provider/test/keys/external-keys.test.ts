import type { ConfigError } from '@carnet/provider';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { registerClient } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { secretsIn } from '../leaks.ts';
import { credentialsFor } from '../login.ts';
import { connect, signIn } from '../relying-party.ts';
import { createSigningService } from '../signing-service.ts';

const instances: Instance[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.stop();
});

const startWith = async (options: Parameters<typeof start>[0]): Promise<Instance> => {
  const instance = await start(options);
  instances.push(instance);
  return instance;
};

const keySetOf = async ({ issuer }: Instance) =>
  createLocalJWKSet((await (await fetch(`${issuer}/.well-known/jwks.json`)).json()) as JSONWebKeySet);

describe('keys of a service', () => {
  it.each(['ES256', 'RS256', 'EdDSA'] as const)('sign ID tokens and access tokens: %s', async (alg) => {
    const service = createSigningService({ algorithms: [alg] });
    const instance = await startWith({
      signers: [service.signer],
      config: { keys: { idTokenAlg: alg }, tokens: { accessTokenStrategy: 'jwt' } },
    });
    const client = await registerClient(instance, 'app', { id_token_signed_response_alg: alg });
    const metadata = { id_token_signed_response_alg: alg };
    // openid-client checks the signature of the ID token.
    const config = await connect(instance, client, undefined, metadata);
    const tokens = await signIn(instance, config);
    const keys = await keySetOf(instance);
    for (const jwt of [tokens.access_token, String(tokens.id_token)]) {
      expect((await jwtVerify(jwt, keys, { issuer: instance.issuer })).protectedHeader.alg).toBe(alg);
    }
    const { body } = await credentialsFor(instance, client);
    await jwtVerify(String(body.access_token), keys, { issuer: instance.issuer });
    // One at start, three tokens.
    expect(service.signatures).toBe(4);
    expect(decodeProtectedHeader(String(body.access_token)).kid).toBeDefined();
  });

  it('show in /health/ready and in the metrics whether they sign, with no data of a token', async () => {
    const service = createSigningService();
    const instance = await startWith({ signers: [service.signer], config: { tokens: { accessTokenStrategy: 'jwt' } } });
    const client = await registerClient(instance, 'app');
    const newToken = () => credentialsFor(instance, client);
    const readiness = async (origin: string) => {
      const response = await fetch(`${origin}/health/ready`);
      return [response.status, JSON.stringify(await response.json())] as const;
    };
    expect((await readiness(instance.admin))[0]).toBe(200);
    service.unfit = 'Grant the permission kms:Sign.';
    expect((await newToken()).status).toBe(503);
    const [status, body] = await readiness(instance.admin);
    expect(status).toBe(503);
    expect(body).toContain('Grant the permission kms:Sign.');
    // The number of callers does not decide how often the service is asked.
    const asked = service.signatures;
    await Promise.all(Array.from({ length: 20 }, () => readiness(instance.admin)));
    expect(service.signatures - asked).toBeLessThanOrEqual(1);
    service.unfit = undefined;
    // It is noticed without a request of a client.
    await vi.waitFor(async () => expect((await readiness(instance.admin))[0]).toBe(200), {
      timeout: 30_000,
      interval: 200,
    });
    const metrics = await (await fetch(`${instance.admin}/metrics/prometheus`)).text();
    expect(metrics).toMatch(
      /carnet_signer_operation_duration_seconds_count\{[^}]*operation="sign"[^}]*error_type="unfit"[^}]*\} \d/,
    );
    expect(metrics).toMatch(/carnet_signer_operation_duration_seconds_count\{[^}]*operation="keys"[^}]*\} \d/);
    expect(secretsIn(instance.log())).toEqual([]);
  });

  it('never send a signature that does not verify', async () => {
    const service = createSigningService();
    const instance = await startWith({ signers: [service.signer], config: { tokens: { accessTokenStrategy: 'jwt' } } });
    const client = await registerClient(instance, 'app');
    service.signsWrongly = true;
    const { status, body } = await credentialsFor(instance, client);
    expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
    expect(instance.log()).toContain('a signature of the signing service does not verify');
    service.signsWrongly = false;
    expect((await credentialsFor(instance, client)).status).toBe(200);
  });

  it('are a service that fails if a signer of the application returns no signature', async () => {
    const service = createSigningService();
    let isBroken = false;
    const sign: typeof service.signer.sign = async (...args) =>
      isBroken ? (null as never) : service.signer.sign(...args);
    const instance = await startWith({
      signers: [{ ...service.signer, sign }],
      config: { tokens: { accessTokenStrategy: 'jwt' } },
    });
    const client = await registerClient(instance, 'app');
    isBroken = true;
    expect((await credentialsFor(instance, client)).status).toBe(503);
    isBroken = false;
    expect((await credentialsFor(instance, client)).status).toBe(200);
  });

  it('sign 200 tokens at once, of which few are under way, and an outage of one call is not noticed', async () => {
    const service = createSigningService();
    const instance = await startWith({
      signers: [service.signer],
      config: {
        keys: { idTokenAlg: 'ES256', signerConcurrency: 50, signerTimeoutMs: 30_000 },
        tokens: { accessTokenStrategy: 'jwt' },
      },
    });
    const client = await registerClient(instance, 'app');
    service.latencyMs = 5;
    service.failures = 1;
    const all = await Promise.all(Array.from({ length: 200 }, () => credentialsFor(instance, client)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(service.mostAtOnce).toBeLessThanOrEqual(50);
  });

  it('are loaded by the scheme of keys.signer, and the package has to be installed', async () => {
    const refused = (keys: object) => startWith({ config: { keys: keys as never } }).catch((error: unknown) => error);
    const problemsOf = async (keys: object) => ((await refused(keys)) as ConfigError).problems;
    expect(await problemsOf({ source: 'external', signer: 'kms:alias/carnet' })).toEqual([
      'keys.signer: must be a URL that begins with pkcs11:, awskms:, gcpkms:, gcpiam:, vault:',
    ]);
    expect(await problemsOf({ source: 'external' })).toEqual([
      'keys.signer: is missing. Set it, or the variable SIGNER, to the URL of a key, such as awskms:alias/carnet; or pass `signers` to createProvider.',
    ]);
    expect(await problemsOf({ source: 'external', signer: 'signer:' })).toEqual([
      'keys.signer: signer: is only valid with `signers`, or `keyWrapper`, passed to createProvider. Set the URL of a key.',
    ]);
    expect(await problemsOf({ signer: 'awskms:alias/carnet' })).toEqual([
      'keys.signer: is set, but its keys are not used. Set keys.source (KEYS_SOURCE) to external.',
    ]);
    expect(await problemsOf({ source: 'external', signr: 'awskms:', sealedBy: 'kms:carnet' })).toHaveLength(3);
  });
});
