import { describe, expect, it } from 'vitest';
import { redirectTarget } from './redirect-target.ts';

const root = new URL('https://id.example.com');
const tenant = new URL('https://id.example.com/tenant');

describe('redirectTarget', () => {
  it.each([
    [root, 'https://id.example.com/oauth2/auth?login_verifier=abc'],
    [root, 'https://id.example.com:443/oauth2/auth'],
    [root, 'https://id.example.com/oauth2/auth?redirect_uri=https%3A%2F%2Fevil.example'],
    [tenant, 'https://id.example.com/tenant/oauth2/auth'],
    [new URL('https://id.example.com/tenant/'), 'https://id.example.com/tenant/oauth2/auth'],
  ])('follows what lies under %s: %s', (issuer, target) => {
    expect(redirectTarget(issuer, target)).toBe(new URL(target).href);
  });

  it.each([
    [root, 'https://evil.example/'],
    [root, 'http://id.example.com/oauth2/auth'],
    [root, 'https://id.example.com:8443/oauth2/auth'],
    [root, 'https://id.example.com.evil.example/'],
    [root, 'https://id.example.com@evil.example/'],
    [root, 'https://somebody@id.example.com/'],
    [root, '//evil.example/'],
    [root, '/oauth2/auth'],
    [root, 'javascript:alert(1)'],
    [root, ''],
    [tenant, 'https://id.example.com/'],
    [tenant, 'https://id.example.com/tenants/oauth2/auth'],
    [tenant, 'https://id.example.com/tenant/../other/oauth2/auth'],
    [tenant, 'https://id.example.com/tenant/%2e%2e/other'],
    [tenant, 'https://id.example.com/tenant/..%2fother'],
    [tenant, 'https://id.example.com/tenant/..%5Cother'],
  ])('does not follow what does not lie under %s: %s', (issuer, target) => {
    expect(() => redirectTarget(issuer, target)).toThrow(expect.objectContaining({ code: 'foreign_redirect' }));
  });
});
