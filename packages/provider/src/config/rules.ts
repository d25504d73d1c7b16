import { isIP } from 'node:net';
import { isLoopbackHost } from '@carnet/adapter-contract/kit';
import { isPublicAddress, readAllowed } from '../outbound/addresses.ts';
import { groupNames, groups } from '../storage/groups.ts';
import { fapiRules } from './fapi-rules.ts';
import { keyRules } from './key-rules.ts';
import { type Rule, rule, settingOf } from './rule.ts';
import type { Draft } from './schema.ts';

const hostOf = (url: string | undefined): string => URL.parse(url ?? '')?.hostname ?? '';

const isPlainHttp = (url: string | undefined): boolean => url?.toLowerCase().startsWith('http:') ?? false;

/** Keys without which nothing runs, and what to set them to. Dev mode has filled them by now. */
export const required: readonly { readonly key: string; readonly what: string }[] = [
  { key: 'issuer', what: 'the https URL under which browsers and clients reach Carnet' },
  {
    key: 'storage.default',
    what: 'the URL of the store, such as sqlite:carnet.db or postgres://user:password@host/database; or pass an adapter to createProvider',
  },
  { key: 'secrets.system', what: 'a secret of at least 32 characters: `openssl rand -hex 32` makes one' },
  { key: 'urls.login', what: 'the URL of your login page' },
  { key: 'urls.consent', what: 'the URL of your consent page' },
];

const storeKeys = ['default', ...groupNames] as const;

const isMemory = (storage: Draft['storage'], key: (typeof storeKeys)[number]): boolean =>
  storage[key]?.startsWith('memory:') ?? false;

export const rules: readonly Rule[] = [
  ...fapiRules,
  ...keyRules,
  ...storeKeys
    .filter((key) => key === 'default' || groups[key].needs === 'durable')
    .map((key) =>
      rule(
        `storage.${key}`,
        ({ dev, storage }) => !dev && isMemory(storage, key),
        'memory: loses all data at exit, and is accepted in dev mode only. Set another store.',
      ),
    ),
  rule(
    'dev',
    ({ dev }, { production }) => dev && production,
    'dev mode is refused with NODE_ENV=production. Leave out --dev, or unset NODE_ENV.',
  ),
  rule(
    'issuer',
    ({ dev, issuer }) => isPlainHttp(issuer) && !(dev && isLoopbackHost(hostOf(issuer))),
    'must be an https URL; http is accepted in dev mode, on a loopback address. Put a proxy that ends TLS in front.',
  ),
  rule(
    'oidc.subjectIdentifiers.pairwise.salt',
    ({ oidc: { subjectIdentifiers: subjects } }) =>
      subjects.supportedTypes.includes('pairwise') && subjects.pairwise.salt === undefined,
    (_draft, surroundings) =>
      `is missing, and pairwise subjects are derived from it. ${settingOf('oidc.subjectIdentifiers.pairwise.salt', surroundings)} to a secret that will never change.`,
  ),
  rule(
    'http.clientCertificateHeader',
    ({ http }) => http.clientCertificateHeader !== undefined && http.trustedProxies.length === 0,
    'is accepted only from a trusted proxy. Set TRUSTED_PROXIES to the addresses of your proxies.',
  ),
  rule(
    'http.clientVerifiedHeader',
    ({ http }) => http.clientVerifiedHeader !== undefined && http.clientCertificateHeader === undefined,
    'needs the header with the certificate. Set CLIENT_CERTIFICATE_HEADER, too.',
  ),
  rule(
    'features.clientIdMetadataDocument.cacheMax',
    ({ features: { clientIdMetadataDocument: documents } }) => documents.cacheMax < documents.cacheMin,
    'is shorter than cacheMin. Increase it, or decrease cacheMin.',
  ),
  rule(
    'features.ciba.enabled',
    ({ features, urls }) => features.ciba.enabled && urls.backchannelAuthentication === undefined,
    'needs an app that notifies users. Set URLS_BACKCHANNEL_AUTHENTICATION to its URL.',
  ),
];

/** Whether a URL that Carnet calls itself is one that it will not call; of a name that is known when it is looked up. */
const isNeverCalled = (text: string | undefined, { dev, outbound }: Draft): boolean => {
  if (text === undefined || !URL.canParse(text)) return false;
  const url = new URL(text);
  const address = url.hostname.replace(/^\[|\]$/g, '');
  const allowed = readAllowed(outbound.allow);
  if (allowed.host(url) || allowed.address(address) || (dev && isLoopbackHost(url.hostname))) return false;
  if (isIP(address) !== 0) return url.protocol !== 'https:' || !isPublicAddress(address);
  return url.protocol !== 'https:' && !outbound.allow.some((entry) => entry.includes('/'));
};

const calledUrls: readonly (readonly [string, (draft: Draft) => string | undefined])[] = [
  ['hooks.token.url', ({ hooks }) => hooks.token.url],
  ['hooks.refreshToken.url', ({ hooks }) => hooks.refreshToken.url],
  ['urls.backchannelAuthentication', ({ urls }) => urls.backchannelAuthentication],
  ['events.webhooks', (draft) => draft.events?.webhooks.find(({ url }) => isNeverCalled(url, draft))?.url],
];

/** Settings that work, but deserve a warning. */
export const cautions: readonly Rule[] = [
  ...calledUrls.map(([key, urlIn]) =>
    rule(
      key,
      (draft) => isNeverCalled(urlIn(draft), draft),
      'will not be called: it is not https at a public address. If it is your own, add its host to outbound.allow (OUTBOUND_ALLOW).',
    ),
  ),
  rule(
    'secrets.system',
    ({ secrets }) => secrets.system?.some((secret) => secret.length < 32),
    'has a secret of less than 32 characters. Generate a better one with `openssl rand -hex 32`.',
  ),
  rule(
    'pkce.required',
    ({ pkce }) => pkce.required === 'never',
    'lets public clients omit PKCE: an attacker with one of their codes can redeem it. Leave it at "public" if you can.',
  ),
  ...(
    [
      ['login', ({ login }) => login],
      ['registration', ({ registration }) => registration],
      ['consent', ({ consent }) => consent],
      ['logout', ({ logout }) => logout],
      ['error', ({ error }) => error],
      ['device.verification', ({ device }) => device.verification],
    ] as const satisfies readonly (readonly [string, (urls: Draft['urls']) => string | undefined])[]
  ).map(([page, urlIn]) =>
    rule(
      `urls.${page}`,
      ({ urls }: Draft) => isPlainHttp(urlIn(urls)) && !isLoopbackHost(hostOf(urlIn(urls))),
      'is not https: passwords that users enter there can be read in transit.',
    ),
  ),
];
