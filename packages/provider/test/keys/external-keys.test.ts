import type { ConfigError } from '@carnet/provider';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { startInTest } from '../before-tests.ts';
import { call, publishedKeys, refusal } from '../call.ts';
import { registerClient } from '../clients.ts';
import type { Instance } from '../harness.ts';
import { secretsIn } from '../leaks.ts';
import { credentialsFor } from '../login.ts';
import { connect, signIn } from '../relying-party.ts';
import { createSigningService } from '../signing-service.ts';

const keySetOf = async (instance: Instance) =>
  createLocalJWKSet((await publishedKeys(instance)) as unknown as JSONWebKeySet);

describe('keys of a service', () => {
  it.each(['ES256', 'RS256', 'EdDSA'] as const)('sign ID tokens and access tokens: %s', async (alg) => {
    const service = createSigningService({ algorithms: [alg] });
    const instance = await startInTest({
      signers: [service.signer],
      config: { keys: { idTokenAlg: alg }, tokens: { accessTokenStrategy: 'jwt' } },
    });
    const metadata = { id_token_signed_response_alg: alg };
    const client = await registerClient(instance, 'app', metadata);
    // openid-client checks the signature of the ID token.
    const tokens = await signIn(instance, await connect(instance, client, undefined, metadata));
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
    const instance = await startInTest({
      signers: [service.signer],
      config: { tokens: { accessTokenStrategy: 'jwt' } },
    });
    const client = await registerClient(instance, 'app');
    const newToken = () => credentialsFor(instance, client);
    const readiness = () => call(`${instance.admin}/health/ready`);
    const isReady = async () => expect((await readiness()).status).toBe(200);
    await isReady();
    service.unfit = 'Grant the permission kms:Sign.';
    expect((await newToken()).status).toBe(503);
    const { status, body } = await readiness();
    expect(status).toBe(503);
    expect(JSON.stringify(body)).toContain('Grant the permission kms:Sign.');
    // The number of callers does not decide how often the service is asked.
    const asked = service.signatures;
    await Promise.all(Array.from({ length: 20 }, readiness));
    expect(service.signatures - asked).toBeLessThanOrEqual(1);
    service.unfit = undefined;
    // It is noticed without a request of a client.
    await vi.waitFor(isReady, { timeout: 30_000, interval: 200 });
    const metrics = await (await fetch(`${instance.admin}/metrics/prometheus`)).text();
    expect(metrics).toMatch(
      /carnet_signer_operation_duration_seconds_count\{[^}]*operation="sign"[^}]*error_type="unfit"[^}]*\} \d/,
    );
    expect(metrics).toMatch(/carnet_signer_operation_duration_seconds_count\{[^}]*operation="keys"[^}]*\} \d/);
    expect(secretsIn(instance.log())).toEqual([]);
  });

  it('never send a signature that does not verify', async () => {
    const service = createSigningService();
    const instance = await startInTest({
      signers: [service.signer],
      config: { tokens: { accessTokenStrategy: 'jwt' } },
    });
    const client = await registerClient(instance, 'app');
    service.signsWrongly = true;
    expect(await credentialsFor(instance, client)).toMatchObject(refusal('temporarily_unavailable', 503));
    expect(instance.log()).toContain('a signature of the signing service does not verify');
    service.signsWrongly = false;
    expect((await credentialsFor(instance, client)).status).toBe(200);
  });

  it('are a service that fails if a signer of the application returns no signature', async () => {
    const service = createSigningService();
    let isBroken = false;
    const sign: typeof service.signer.sign = async (...args) =>
      isBroken ? (null as never) : service.signer.sign(...args);
    const instance = await startInTest({
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
    const instance = await startInTest({
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
    const refused = (keys: object) => startInTest({ config: { keys: keys as never } }).catch((error: unknown) => error);
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
