import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { SignerUnfitError } from '@carnet/signer-contract';
import { openKeyWrapper, openSigner } from '@carnet/signer-pkcs11';
import { openAuthority, startSoftHsm } from '@carnet/test-servers';
import { closing } from '@carnet/test-servers/before-tests';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { calm, isSignatureOf } from '../../signer-contract/test/laws.ts';

const hsm = await startSoftHsm();
afterAll(() => hsm.close());

const open = (url: string) => closing(openSigner({ url }));

const idsOf = (keys: readonly { readonly handle: string }[]) => keys.map(({ handle }) => handle.split(':')[0]);

describe('the keys of a label', () => {
  it('are its versions, ordered by CKA_ID as a number', async () => {
    for (const id of ['0100', 'ff', '02']) await hsm.generate({ type: 'EC:prime256v1', label: 'versions', id });
    await hsm.generate({ type: 'EC:prime256v1', label: 'another label', id: '03' });
    const signer = await open(hsm.url('versions'));
    expect(idsOf(await signer.keys(calm()))).toEqual(['02', 'ff', '0100']);
  });

  it('are one key if the URL has an id', async () => {
    await hsm.generate({ type: 'EC:prime256v1', label: 'by id', id: '4142' });
    await hsm.generate({ type: 'EC:prime256v1', label: 'by id', id: '4143' });
    const signer = await open(hsm.url('by%20id').replace('object=by%2520id', 'object=by%20id;id=%41B'));
    expect(idsOf(await signer.keys(calm()))).toEqual(['4142']);
  });

  it('are left out if Carnet does not sign with their type', async () => {
    await hsm.generate({ type: 'EC:secp384r1', label: 'types', id: '11' });
    await hsm.generate({ type: 'rsa:1024', label: 'types', id: '12' });
    await hsm.generate({ type: 'EC:edwards25519', label: 'types', id: '13' });
    const signer = await open(hsm.url('types'));
    expect(idsOf(await signer.keys(calm()))).toEqual(['13']);
  });

  it('keys that share a CKA_ID are refused: their public halves could be confused', async () => {
    await hsm.generate({ type: 'EC:prime256v1', label: 'curves', id: '22' });
    await hsm.generate({ type: 'EC:prime256v1', label: 'curves', id: '22' });
    const curves = await open(hsm.url('curves'));
    await expect(curves.keys(calm())).rejects.toThrow(
      /two private keys share the handle.*give each key its own CKA_ID/,
    );
  });
});

describe('a public key', () => {
  it('may be that of a certificate with the same CKA_ID', async () => {
    const authority = openAuthority();
    onTestFinished(() => authority.close());
    const { cert, key } = authority.issued({ subject: '/CN=signing' });
    const der = (pem: string) => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
    const privateKey = createPrivateKey(key);
    const files = [`${hsm.pinFile}.key`, `${hsm.pinFile}.cert`] as const;
    await writeFile(files[0], privateKey.export({ type: 'pkcs8', format: 'der' }));
    await writeFile(files[1], der(cert));
    const name = ['--label', 'certified', '--id', '31'];
    await hsm.tool('--write-object', files[0], '--type', 'privkey', '--usage-sign', ...name);
    await hsm.tool('--write-object', files[1], '--type', 'cert', ...name);
    const signer = await open(hsm.url('certified'));
    const [listed] = await signer.keys(calm());
    expect(listed?.publicKey).toEqual(createPublicKey(privateKey).export({ format: 'jwk' }));
  });

  it('a missing public key leaves the key out, with a warning that names it', async () => {
    await hsm.generate({ type: 'EC:prime256v1', label: 'alone', id: '41' });
    await hsm.destroy('41', 'pubkey');
    const signer = await open(hsm.url('alone'));
    const [[warning], keys] = await Promise.all([once(process, 'warning'), signer.keys(calm())]);
    expect(keys).toEqual([]);
    expect(warning.message).toContain('the key "alone" with the CKA_ID 41 is not used: no public key or certificate');
  });
});

describe('a key that can be extracted', () => {
  it('signs, with one warning', async () => {
    await hsm.generate({ type: 'EC:prime256v1', label: 'loose', id: '51', isExtractable: true });
    const signer = await open(hsm.url('loose'));
    const warnings: string[] = [];
    const listen = ({ message }: Error) => void warnings.push(message);
    process.on('warning', listen);
    onTestFinished(() => void process.off('warning', listen));
    const [key] = await signer.keys(calm());
    await signer.keys(calm());
    const data = randomBytes(20);
    if (key) expect(isSignatureOf(key, data, (await signer.sign(key, data, calm())).signature)).toBe(true);
    expect(warnings.filter((message) => message.includes('"loose"'))).toEqual([
      'the key "loose" with the CKA_ID 51 can be extracted from the token (CKA_EXTRACTABLE): generate one that cannot',
    ]);
  });
});

describe('a key wrapper', () => {
  const openWrapper = (label: string) => closing(openKeyWrapper({ url: hsm.url(label) }));

  it('a key wrapper without an AES key is refused, with advice', async () => {
    const wrapper = await openWrapper('no such key');
    await expect(wrapper.wrap(Buffer.alloc(32), calm())).rejects.toThrow(SignerUnfitError);
    await expect(wrapper.wrap(Buffer.alloc(32), calm())).rejects.toThrow(
      'the token has no AES key that matches the URL',
    );
  });

  it('does not unwrap the value of another key', async () => {
    await hsm.generate({ type: 'aes:32', label: 'first', id: '61' });
    await hsm.generate({ type: 'aes:32', label: 'second', id: '61' });
    const [first, second] = [await openWrapper('first'), await openWrapper('second')];
    const wrapped = await first.wrap(randomBytes(32), calm());
    await expect(second.unwrap(wrapped, calm())).rejects.toThrow('was changed, or another key wrapped it');
  });
});
