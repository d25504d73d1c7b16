import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSamlProvider } from '../src/index.ts';
import { certificates } from './certificates.ts';
import { callback, openSaml, optionsOf, ourEntityId, secret, signedAnswer, state } from './open-saml.ts';
import { answerTo, formOf, metadataOf, ssoUrl } from './saml-provider.ts';

const { provider: old, renewed, carnet } = certificates;
const fromUrl = {
  metadataUrl: 'https://idp.example.com/metadata',
  ssoUrl: undefined,
  issuer: undefined,
  certificates: [],
};

/** A provider whose metadata a test changes, and a clock. */
const openRenewed = async (members: Parameters<typeof openSaml>[0] = {}) => {
  let [xml, status, now] = [metadataOf([old]), 200, Date.now()];
  const requests: string[] = [];
  const send = async ({ url }: { readonly url: string }) => {
    requests.push(url);
    return { status, headers: new Headers(), body: xml };
  };
  const saml = await openSaml({ ...fromUrl, ...members }, { send, now: () => now });
  return {
    saml,
    requests,
    serve: (text: string, code = 200) => {
      [xml, status] = [text, code];
    },
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
    signedBy: async (signer: typeof old) => saml.verify(formOf(signedAnswer(answerTo(await saml.begin()), signer))),
  };
};

describe('metadata of a provider', () => {
  it('are read from a URL at the first sign-in, and not before', async () => {
    const { saml, requests } = await openRenewed();
    expect(requests).toEqual([]);
    expect(await saml.begin()).toContain(`${ssoUrl}?`);
    await saml.begin();
    expect(requests).toEqual([fromUrl.metadataUrl]);
  });

  it('are read from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carnet-saml-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const metadataFile = join(folder, 'metadata.xml');
    writeFileSync(metadataFile, metadataOf([old]));
    const { by } = await openSaml({ ...fromUrl, metadataUrl: undefined, metadataFile });
    expect(await by()).toMatchObject({ outcome: 'verified' });
  });

  it('with new keys are read again at the first answer with one, and the old key is no longer valid', async () => {
    const { serve, pass, signedBy, requests } = await openRenewed();
    expect(await signedBy(old)).toMatchObject({ outcome: 'verified' });
    serve(metadataOf([renewed]));
    pass(30);
    expect(await signedBy(renewed)).toMatchObject({ outcome: 'verified' });
    expect(requests).toHaveLength(2);
    expect(await signedBy(old)).toEqual({ outcome: 'failed', reason: 'invalid_signature' });
  });

  it('with both keys accept either of them', async () => {
    const { serve, signedBy } = await openRenewed();
    serve(metadataOf([old, renewed]));
    for (const signer of [old, renewed]) expect(await signedBy(signer)).toMatchObject({ outcome: 'verified' });
  });

  it('are read at most once in ten seconds, however many answers have a foreign signature', async () => {
    const { pass, signedBy, requests } = await openRenewed();
    await signedBy(old);
    pass(30);
    for (let count = 0; count < 5; count += 1) await signedBy(certificates.attacker);
    expect(requests).toHaveLength(2);
  });

  it('are read again after an hour in the background, and an outage leaves the old ones in use', async () => {
    const { saml, serve, pass, requests } = await openRenewed();
    await saml.begin();
    serve('', 503);
    pass(3_601);
    expect(await saml.begin()).toContain(ssoUrl);
    await expect.poll(() => requests.length).toBe(2);
    expect(await saml.begin()).toContain(ssoUrl);
  });

  it('whose validity has ended are not used', async () => {
    const { saml, serve, pass } = await openRenewed();
    serve(metadataOf([old], { validUntil: Date.now() + 60_000 }));
    await saml.begin();
    pass(61);
    await expect(saml.begin()).rejects.toThrow('metadata_expired');
  });

  it.each([
    ['no answer', '', 404, 'unreachable'],
    ['no XML', 'not found', 200, 'malformed_xml'],
    ['a document type', `<!DOCTYPE x>${metadataOf([old])}`, 200, 'forbidden_markup'],
    ['no certificate', metadataOf([]), 200, 'invalid_metadata'],
  ])('that are %s are a reason without their text', async (_title, text, status, reason) => {
    const { saml, serve } = await openRenewed();
    serve(text, status);
    await expect(saml.begin()).rejects.toThrow(new Error(reason));
  });

  it('of another provider than the configured one are refused', async () => {
    const { saml } = await openRenewed({ issuer: 'https://other.example' });
    await expect(saml.begin()).rejects.toThrow('invalid_metadata');
  });
});

describe('our metadata', () => {
  it('have the callback, the entity ID and the certificates, without weak algorithms', async () => {
    const keys = {
      ...{ privateKey: carnet.key, certificate: carnet.cert },
      ...{ decryptionKey: old.key, decryptionCertificate: old.cert },
    };
    const { provider } = await openSaml(keys);
    const xml = provider.metadata?.(callback) ?? '';
    expect(xml).toContain(`entityID="${ourEntityId}"`);
    expect(xml).toContain(`Location="${callback}"`);
    expect(xml).toContain('AuthnRequestsSigned="true"');
    expect(xml).toContain('WantAssertionsSigned="true"');
    expect(xml.match(/<KeyDescriptor use="\w+"/g)).toEqual([
      '<KeyDescriptor use="signing"',
      '<KeyDescriptor use="encryption"',
    ]);
    // Only the algorithms are read: the base64 of a certificate can spell any word of three letters.
    const algorithms = [...xml.matchAll(/<EncryptionMethod Algorithm="([^"]*)"/g)].map((found) => found[1] ?? '');
    expect(algorithms.some((algorithm) => algorithm.endsWith('aes256-gcm'))).toBe(true);
    expect(algorithms.filter((algorithm) => algorithm.endsWith('cbc'))).toEqual([]);
    expect(xml).not.toContain('PRIVATE');
  });
});

it('a key that cannot be used is a problem of the configuration, which does not repeat it', async () => {
  const dependencies = { send: async () => Promise.reject(new Error('none')), claim: async () => true, now: Date.now };
  for (const [members, message] of [
    [{ privateKey: 'secret text', certificate: carnet.cert }, 'privateKey must be a private RSA key in PEM (PKCS #8).'],
    [{ certificates: ['secret text'] }, 'certificates must be a certificate in PEM.'],
  ] as const)
    await expect(openSamlProvider(optionsOf(members), dependencies)).rejects.toThrow(new TypeError(message));
  const { provider } = await openSaml();
  expect(await provider.authorizationUrl({ callback, state, secret })).toContain(ssoUrl);
});
