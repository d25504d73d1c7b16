import { isIP } from 'node:net';
import type { RelyingParty } from '../second-factors.ts';
import { type Acr, acrValues } from './acr.ts';
import type { PolicySettings } from './settings.ts';

const originOf = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.origin === text ? url : undefined;
};

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

const problemOfOrigin = (id: string, origin: string): string | undefined => {
  const url = originOf(origin);
  if (url === undefined) return `passkeys: the origin ${origin} must be a scheme, a host and a port, without a path.`;
  const { hostname, protocol } = url;
  if (protocol !== 'https:' && !isLocal(hostname))
    return `passkeys: the origin ${origin} must be https; browsers allow http for localhost only.`;
  if (hostname !== id && !hostname.endsWith(`.${id}`))
    return `passkeys: the relying-party id ${id} must be the host of the origin ${origin}, or a parent domain of it.`;
  return undefined;
};

const problemOfId = (id: string): string | undefined => {
  if (isIP(id.replaceAll(/[[\]]/g, '')) !== 0)
    return `passkeys: the relying-party id ${id} must not be an IP address. Use a name: http://localhost works in development.`;
  const isDomain = URL.canParse(`https://${id}`) && new URL(`https://${id}`).host === id;
  if (!isDomain) return `passkeys: the relying-party id ${id} must be a domain name without scheme, port and path.`;
  if (!id.includes('.') && !isLocal(id))
    return `passkeys: the relying-party id ${id} is a top-level domain; browsers refuse it. Use your own domain.`;
  return undefined;
};

/** The rules of WebAuthn for a relying party, each as a sentence that names the remedy. */
const relyingPartyProblems = ({ id, origins }: RelyingParty): readonly string[] => {
  const ofId = problemOfId(id);
  if (ofId !== undefined) return [ofId];
  if (origins.length === 0) return ['passkeys: origins must have the origin of the login pages.'];
  return origins.flatMap((origin) => problemOfOrigin(id, origin) ?? []);
};

/** Policies that no user could fulfil, and the problems of the relying party. Empty if the settings are usable. */
export const settingsProblems = (settings: PolicySettings, rp: RelyingParty | undefined): readonly string[] => {
  const policies = [
    settings.default,
    ...Object.values(settings.realms ?? {}),
    ...Object.values(settings.clients ?? {}),
    ...Object.values(settings.organizations ?? {}),
  ];
  const hasPasskeys = rp !== undefined && settings.kinds.includes('passkey');
  const hasCodes = settings.kinds.includes('totp') || settings.kinds.includes('hotp');
  return [
    ...(rp ? relyingPartyProblems(rp) : []),
    ...(policies.includes('phishing_resistant') && !hasPasskeys
      ? ['second factors: the policy phishing_resistant needs passkeys: turn them on, and add passkey to the kinds.']
      : []),
    ...(policies.includes('required') && !hasPasskeys && !hasCodes
      ? [
          'second factors: the policy required needs a kind that users can enrol: add totp, hotp or passkey to the kinds.',
        ]
      : []),
  ];
};

/** The values for `acr_values_supported`. */
export const supportedAcrValues = (settings: PolicySettings, rp: RelyingParty | undefined): readonly Acr[] => {
  const hasPasskeys = rp !== undefined && settings.kinds.includes('passkey');
  const hasCodes = settings.kinds.includes('totp') || settings.kinds.includes('hotp');
  return acrValues.filter((acr) => acr === 'urn:carnet:1fa' || hasPasskeys || (acr === 'urn:carnet:2fa' && hasCodes));
};
