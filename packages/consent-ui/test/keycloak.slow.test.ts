import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { launchChromium } from '../../../test/browser/chromium.ts';
import { enter, shows } from '../../../test/browser/steps.ts';
import { openAuthority } from '../../../test/servers/src/certificates.ts';
import { type Keycloak, startKeycloak } from '../../../test/servers/src/keycloak/keycloak.ts';
import { openTestPostgres } from '../../../test/servers/src/open-test-postgres.ts';
import type { TestPostgres } from '../../../test/servers/src/postgres.ts';
import { clientSecret, createRealm, password, registerByMetadata, users } from './chromium/keycloak-realm.ts';
import { demoUser, startStack } from './chromium/stack.ts';

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;
type Kind = 'oidc' | 'saml';

let postgres: TestPostgres;
let keycloak: Keycloak;
let chromium: Browser;
let realms = 0;

beforeAll(async () => {
  postgres = await openTestPostgres();
  keycloak = await startKeycloak({ database: postgres.url, heap: ['-Xms128m', '-Xmx512m'] });
  chromium = await launchChromium();
});
afterAll(async () => {
  await chromium?.close();
  await keycloak?.close();
  await postgres?.close();
});

const authority = openAuthority();
const [signing, decryption] = [
  authority.selfSigned({ subject: '/CN=carnet', key: 'rsa' }),
  authority.selfSigned({ subject: '/CN=carnet', key: 'rsa' }),
];
authority.close();

const samlKeys = {
  ...{ privateKey: signing.key, certificate: signing.cert },
  ...{ decryptionKey: decryption.key, decryptionCertificate: decryption.cert },
};

/** Carnet with the provider `corp`: a realm of its own, by this protocol. */
const open = async (kind: Kind, { logout, ...members }: { readonly signUp?: 'off'; readonly logout?: true } = {}) => {
  realms += 1;
  const realm = `company-${realms}`;
  const common = { name: 'corp', label: 'Corp', ...members };
  const stack = await startStack(async (url) => {
    const realmUrl = await createRealm(keycloak, realm, `${url}/login/provider/corp`);
    if (kind === 'oidc')
      return [{ ...common, kind, issuer: realmUrl, clientId: 'carnet', clientSecret, ...(logout && { logout }) }];
    return [{ ...common, kind, metadataUrl: `${realmUrl}/protocol/saml/descriptor`, ...samlKeys }];
  });
  if (kind === 'saml') await registerByMetadata(keycloak, realm, `${stack.ui}/login/provider/corp/metadata`);
  return stack;
};

const openBrowser = async (): Promise<Page> => {
  const context = await chromium.newContext();
  onTestFinished(() => context.close());
  return context.newPage();
};

/** Enters a user at Keycloak, whose form has no name in case of a new sign-in of the same user. */
const enterAtKeycloak = async (page: Page, { username }: { readonly username: string }): Promise<void> => {
  await page.locator('#kc-form-login').waitFor();
  if (await page.locator('#username:visible').count()) await page.fill('#username', username);
  await page.fill('#password', password);
  await page.click('#kc-login');
};

describe.each<Kind>(['oidc', 'saml'])('Keycloak by %s', (kind) => {
  it('signs in a user for the first time, and then at once', async () => {
    const { ui } = await open(kind);
    const page = await openBrowser();
    await page.goto(`${ui}/account`);
    await page.click('#provider-corp');
    await enterAtKeycloak(page, users.ada);
    await shows(page, 'Create an account');
    expect(await page.textContent('main')).toContain('Ada Lovelace');
    await page.click('#accept');
    await shows(page, 'Your account');
    expect(await page.textContent('#providers')).toContain(users.ada.email);

    await page.context().clearCookies({ domain: 'localhost' });
    await page.goto(`${ui}/account`);
    await page.click('#provider-corp');
    await shows(page, 'Your account');
    expect(await page.textContent('.person')).toContain('Ada Lovelace');
  });

  it('an identity is connected to the account of a user, who then signs in with it', async () => {
    const { ui } = await open(kind);
    const page = await openBrowser();
    await page.goto(`${ui}/account`);
    await enter(page, demoUser);
    await shows(page, 'Your account');
    await page.click('#connect-corp');
    await page.click('#accept');
    await enterAtKeycloak(page, users.dana);
    await page.locator('#saved').waitFor();

    const again = await openBrowser();
    await again.goto(`${ui}/account`);
    await again.click('#provider-corp');
    await enterAtKeycloak(again, users.dana);
    await shows(again, 'Your account');
    expect(await again.textContent('.person')).toContain(demoUser.email);
  });

  it('asks the user again for prompt=login and for max_age, although there is a session', async () => {
    const { ui, authorizationUrl } = await open(kind);
    const page = await openBrowser();
    await page.goto(`${ui}/account`);
    await page.click('#provider-corp');
    await enterAtKeycloak(page, users.ada);
    await page.click('#accept');
    await shows(page, 'Your account');
    for (const parameter of ['prompt=login', 'max_age=1']) {
      // Until the sign-in is older than `max_age`.
      await page.waitForTimeout(2_500);
      await page.goto(`${authorizationUrl}&${parameter}`);
      const another = page.locator('#another');
      if (await another.count()) await another.click();
      await page.click('#provider-corp');
      await enterAtKeycloak(page, users.ada);
      await shows(page, 'Allow access?');
    }
  });

  it('refuses a user who has no account, if sign-up is off', async () => {
    const { ui } = await open(kind, { signUp: 'off' });
    const page = await openBrowser();
    await page.goto(`${ui}/account`);
    await page.click('#provider-corp');
    await enterAtKeycloak(page, users.ada);
    await shows(page, 'You have no account here');
  });
});

describe('a sign-out that continues at Keycloak', () => {
  it('ends the session of Carnet and that of Keycloak, and returns to the client', async () => {
    const { ui } = await open('oidc', { logout: true });
    const page = await openBrowser();
    await page.goto(`${ui}/account`);
    await page.check('#remember');
    await page.click('#provider-corp');
    await enterAtKeycloak(page, users.ada);
    await page.click('#accept');
    await shows(page, 'Your account');
    await page.click('#sign-out');
    // Without an ID token, Keycloak asks the user.
    await page.click('#kc-logout');
    await page.waitForURL(`${ui}/account/signed-out**`);

    await page.goto(`${ui}/account`);
    await page.locator('button[name="account"]').click();
    await page.locator('#kc-form-login').waitFor();
  });
});
