import type { RemoteKey, RemoteSigner } from '../port.ts';
import { type MemoryService, openMemoryService, signWith, toRemoteKey } from './memory-service.ts';
import { mutantsOf, type SignerMutant } from './mutant.ts';

/** A signer that lists something else than its keys. */
const listing =
  (change: (keys: readonly RemoteKey[], service: MemoryService) => readonly RemoteKey[]): SignerMutant['change'] =>
  (signer, service) => ({ keys: async (options) => change(await signer.keys(options), service) });

/** Mistakes in the list of keys. */
export const keyMutants = mutantsOf<RemoteSigner>({
  'keys-name-their-algorithm': {
    'wrong-algorithm': listing((keys) => keys.map((key) => ({ ...key, alg: 'RS256' }))),
    'one-handle-for-all': listing((keys) => keys.map((key) => ({ ...key, handle: 'key' }))),
  },
  'keys-have-no-private-members': {
    'lists-private-members': listing((keys, { versions }) =>
      keys.map((key) => {
        const version = versions.find(({ handle }) => handle === key.handle);
        return { ...key, publicKey: version?.privateKey.export({ format: 'jwk' }) ?? key.publicKey };
      }),
    ),
  },
  'disabled-keys-are-not-listed': {
    'lists-disabled-keys': listing((_, { versions }) => versions.map(toRemoteKey)),
    'signs-with-disabled-keys': (signer, { versions, answer }) => ({
      sign: async (key, data, options) => {
        const disabled = versions.find((each) => each.handle === key.handle && each.isDisabled);
        if (!disabled) return signer.sign(key, data, options);
        await answer(options);
        return { signature: signWith(disabled, data) };
      },
    }),
  },
  'listed-keys-sign': {
    'lists-the-public-key-of-another-service': (...instance) => {
      const others = openMemoryService().versions.map(toRemoteKey);
      const otherOf = (alg: string) => others.find((key) => key.alg === alg)?.publicKey;
      const withOther = (key: RemoteKey) => ({ ...key, publicKey: otherOf(key.alg) ?? key.publicKey });
      return listing((keys) => keys.map(withOther))(...instance);
    },
  },
  'keys-are-the-same-in-each-call': {
    'handles-change-with-each-list': (signer) => {
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
  'keys-are-the-same-in-each-instance': {
    'handles-of-the-instance': (signer) => {
      const prefix = crypto.randomUUID();
      return {
        keys: async (options) => (await signer.keys(options)).map((key) => ({ ...key, handle: prefix + key.handle })),
        sign: ({ handle, ...key }, data, options) =>
          signer.sign({ ...key, handle: handle.slice(prefix.length) }, data, options),
      };
    },
  },
  'lists-do-not-share-objects': {
    'hands-out-its-own-list': (...instance) => {
      let known: readonly RemoteKey[] = [];
      return listing((listed) => {
        if (known.length !== listed.length) known = listed;
        return known;
      })(...instance);
    },
  },
  'new-versions-are-listed-last': {
    'lists-the-newest-first': listing((keys) => keys.toReversed()),
    'lists-the-newest-version-only': listing((keys) =>
      keys.filter((key) => key === keys.findLast(({ alg }) => alg === key.alg)),
    ),
  },
});
