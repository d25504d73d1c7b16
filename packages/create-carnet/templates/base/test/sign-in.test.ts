import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFormBrowser, type FormBrowser, type Page } from './form-browser.ts';
import { type Program, startProgram } from './program.ts';

const email = 'demo@example.com';
const password = process.env.DEMO_PASSWORD ?? 'carnet-demo';

let program: Program;
before(async () => {
  program = await startProgram();
});
after(() => program?.stop());

const openLogin = async (browser: FormBrowser): Promise<Page> =>
  browser.click(await browser.open(`${program.url}/`), '/demo/sign-in');

test('a user signs in, consents, and the application receives the claims', async () => {
  const browser = createFormBrowser();
  const consent = await browser.submit(await openLogin(browser), { email, password });
  const home = await browser.submit(consent, {});
  assert.match(home.text, /You are signed in/);
  assert.match(home.text, /demo@example\.com/);
});

test('a wrong password signs no user in', async () => {
  const browser = createFormBrowser();
  const page = await browser.submit(await openLogin(browser), { email, password: 'wrong' });
  assert.match(page.text, /name="password"/);
  assert.match((await browser.open(`${program.url}/`)).text, /not signed in/);
});

test('a remembered user who signs out is asked to sign in again', async () => {
  const browser = createFormBrowser();
  const signedIn = await browser.submit(
    await browser.submit(await openLogin(browser), { email, password, remember: true }),
    {},
  );
  const home = await browser.submit(signedIn, {});
  assert.match(home.text, /not signed in/);
  assert.doesNotMatch((await openLogin(browser)).text, /You are signed in/);
});
