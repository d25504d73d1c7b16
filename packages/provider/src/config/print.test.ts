import * as accounts from '@carnet/accounts';
import * as events from '@carnet/events/config';
import { describe, expect, it } from 'vitest';
import { parseConfig } from './parse-config.ts';
import { isSecretKey, redact, redactUrl } from './print.ts';
import { layoutWith } from './rule.ts';
import { allKeys } from './schema-keys.ts';

const { schema } = layoutWith({ accounts, events });

const hidden = 'hidden-0123456789-abcdef';
const hook = { url: `https://app.test/hook?token=${hidden}`, auth: { value: hidden } };

describe('the keys whose schema declares a secret', () => {
  it('are these', () => {
    expect(allKeys(schema).filter((key) => isSecretKey(schema, key))).toEqual([
      'admin.token',
      'admin.tokens',
      ...['default', 'clients', 'keys', 'tokens', 'clientCredentials', 'sessions', 'consents'].map(
        (n) => `storage.${n}`,
      ),
      ...['replays', 'deliveries', 'events', 'flows'].map((name) => `storage.${name}`),
      'secrets.system',
      'oidc.subjectIdentifiers.pairwise.salt',
      'hooks.token.url',
      'hooks.token.auth.value',
      'hooks.refreshToken.url',
      'hooks.refreshToken.auth.value',
      'keys.signer',
      'keys.sealedBy',
      'clients',
      'accounts.database',
      'accounts.directories',
      'accounts.providers',
      'accounts.mail.url',
      'accounts.validateCheck.token',
      'accounts.scim.token',
      'accounts.scim.previousToken',
      'accounts.scim.tokens',
      'events.webhooks',
    ]);
    expect(isSecretKey(schema, 'keys.jwks')).toBe(true);
  });

  it('are masked, and no other key is', () => {
    const config = parseConfig(
      {
        dev: true,
        admin: { token: hidden },
        secrets: { system: [hidden, hidden] },
        storage: { default: `postgres://carnet:${hidden}@db/carnet`, flows: `redis://:${hidden}@cache` },
        oidc: { subjectIdentifiers: { supportedTypes: ['public', 'pairwise'], pairwise: { salt: hidden } } },
        hooks: { token: hook, refreshToken: hook },
        clients: [{ client_id: 'shop', client_secret: hidden }],
      },
      { production: false },
    );
    const shown = redact(schema, config);
    expect(JSON.stringify(config)).toContain(hidden);
    expect(JSON.stringify(shown)).not.toContain(hidden);
    expect(shown.secrets.system).toEqual(['***', '***']);
    expect(shown.clients).toEqual([{ client_id: 'shop', client_secret: '***' }]);
    expect(shown.storage.default).toBe('postgres://carnet:***@db/carnet');
    expect({ ...shown, admin: 0, storage: 0, secrets: 0, oidc: 0, hooks: 0, keys: 0, clients: 0 }).toEqual({
      ...config,
      ...{ admin: 0, storage: 0, secrets: 0, oidc: 0, hooks: 0, keys: 0, clients: 0 },
    });
  });

  it('are masked in an address within a URL', () => {
    expect(redactUrl(`vault:transit/key?address=https://carnet:${hidden}@vault&namespace=a`)).toBe(
      'vault:transit/key?address=https://carnet:***@vault&namespace=a',
    );
  });
});
