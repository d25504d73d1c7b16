import type { RemoteKey } from '../port.ts';
import { openMemoryService, signWith, toRemoteKey } from './memory-service.ts';
import type { SignerMutant } from './mutant.ts';

/** Mistakes in the list of keys. */
export const keyMutants: readonly SignerMutant[] = [
  {
    name: 'wrong-algorithm',
    breaks: 'keys-name-their-algorithm',
    change: (signer) => ({
      keys: async (options) => (await signer.keys(options)).map((key): RemoteKey => ({ ...key, alg: 'RS256' })),
    }),
  },
  {
    name: 'one-handle-for-all',
    breaks: 'keys-name-their-algorithm',
    change: (signer) => ({
      keys: async (options) => (await signer.keys(options)).map((key) => ({ ...key, handle: 'key' })),
    }),
  },
  {
    name: 'lists-private-members',
    breaks: 'keys-have-no-private-members',
    change: (signer, { versions }) => ({
      keys: async (options) =>
        (await signer.keys(options)).map((key) => {
          const version = versions.find(({ handle }) => handle === key.handle);
          return { ...key, publicKey: version?.privateKey.export({ format: 'jwk' }) ?? key.publicKey };
        }),
    }),
  },
  {
    name: 'lists-disabled-keys',
    breaks: 'disabled-keys-are-not-listed',
    change: (signer, { versions }) => ({
      keys: async (options) => {
        await signer.keys(options);
        return versions.map(toRemoteKey);
      },
    }),
  },
  {
    name: 'signs-with-disabled-keys',
    breaks: 'disabled-keys-are-not-listed',
    change: (signer, { versions, answer }) => ({
      sign: async (key, data, options) => {
        const disabled = versions.find((each) => each.handle === key.handle && each.isDisabled);
        if (!disabled) return signer.sign(key, data, options);
        await answer(options);
        return { signature: signWith(disabled, data) };
      },
    }),
  },
  {
    name: 'lists-the-public-key-of-another-service',
    breaks: 'listed-keys-sign',
    change: (signer) => {
      const others = openMemoryService().versions.map(toRemoteKey);
      const otherOf = (alg: string) => others.find((key) => key.alg === alg)?.publicKey;
      return {
        keys: async (options) =>
          (await signer.keys(options)).map((key) => ({ ...key, publicKey: otherOf(key.alg) ?? key.publicKey })),
      };
    },
  },
  {
    name: 'handles-change-with-each-list',
    breaks: 'keys-are-the-same-in-each-call',
    change: (signer) => {
      let lists = 0;
      return {
        keys: async (options) => {
          const prefix = `${lists++ % 2}:`;
          return (await signer.keys(options)).map((key) => ({ ...key, handle: prefix + key.handle }));
        },
        sign: ({ handle, ...key }, data, options) => signer.sign({ ...key, handle: handle.slice(2) }, data, options),
      };
    },
  },
  {
    name: 'handles-of-the-instance',
    breaks: 'keys-are-the-same-in-each-instance',
    change: (signer) => {
      const prefix = crypto.randomUUID();
      return {
        keys: async (options) => (await signer.keys(options)).map((key) => ({ ...key, handle: prefix + key.handle })),
        sign: ({ handle, ...key }, data, options) =>
          signer.sign({ ...key, handle: handle.slice(prefix.length) }, data, options),
      };
    },
  },
  {
    name: 'hands-out-its-own-list',
    breaks: 'lists-do-not-share-objects',
    change: (signer) => {
      let known: readonly RemoteKey[] = [];
      return {
        keys: async (options) => {
          const listed = await signer.keys(options);
          if (known.length !== listed.length) known = listed;
          return known;
        },
      };
    },
  },
];
