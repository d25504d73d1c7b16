import { describe, expect, it } from 'vitest';
import { settingsProblems, supportedAcrValues } from './problems.ts';
import type { PolicySettings } from './settings.ts';

const settings: PolicySettings = { default: 'optional', kinds: ['totp', 'recovery_code', 'passkey'] };
const rp = { id: 'example.com', name: 'Example', origins: ['https://login.example.com'] };

describe('the relying party of passkeys', () => {
  it.each([
    ['example.com', 'https://login.example.com'],
    ['example.com', 'https://example.com:8443'],
    ['localhost', 'http://localhost:3000'],
    ['login.localhost', 'http://login.localhost:3000'],
  ])('%s fits %s', (id, origin) => {
    expect(settingsProblems(settings, { ...rp, id, origins: [origin] })).toEqual([]);
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000', 'must not be an IP address'],
    ['[::1]', 'http://[::1]:3000', 'must not be an IP address'],
    ['https://example.com', 'https://example.com', 'without scheme, port and path'],
    ['example.com:443', 'https://example.com', 'without scheme, port and path'],
    ['com', 'https://example.com', 'top-level domain'],
    ['example.com', 'https://example.org', 'or a parent domain'],
    ['example.com', 'https://badexample.com', 'or a parent domain'],
    ['login.example.com', 'https://example.com', 'or a parent domain'],
    ['example.com', 'http://example.com', 'must be https'],
    ['example.com', 'https://example.com/login', 'without a path'],
    ['example.com', 'example.com', 'without a path'],
  ])('%s does not fit %s: %s', (id, origin, problem) => {
    expect(settingsProblems(settings, { ...rp, id, origins: [origin] })).toEqual([expect.stringContaining(problem)]);
  });
});

describe('a policy that no user could fulfil', () => {
  it('the settings report the policy as a problem', () => {
    const strict: PolicySettings = { ...settings, clients: { bank: 'phishing_resistant' } };
    expect(settingsProblems(strict, undefined)).toEqual([expect.stringContaining('needs passkeys')]);
    const without: PolicySettings = { default: 'required', kinds: ['recovery_code', 'pin'] };
    expect(settingsProblems(without, rp)).toEqual([expect.stringContaining('kind that users can enrol')]);
  });
});

describe('the supported acr values', () => {
  it('are those that a user can reach', () => {
    expect(supportedAcrValues(settings, rp)).toEqual(['urn:carnet:1fa', 'urn:carnet:2fa', 'phr']);
    expect(supportedAcrValues(settings, undefined)).toEqual(['urn:carnet:1fa', 'urn:carnet:2fa']);
    expect(supportedAcrValues({ default: 'none', kinds: [] }, rp)).toEqual(['urn:carnet:1fa']);
  });
});
