import { describe, expect } from 'vitest';
import { dana, enter, goToLogin, grace, shows, signIn } from '../steps.ts';
import { test } from '../test.ts';

describe('what the provider, the consent UI and the application print', () => {
  test('holds no challenge, verifier, code, password, cookie or form token of any of these tests', async ({
    stack,
    secrets,
    person: { page },
  }) => {
    await goToLogin(page, stack);
    await enter(page, { ...dana, password: 'wrong-and-never-to-be-logged' });
    await page.locator('#message').waitFor();
    await signIn(page, stack, grace);
    await page.goBack();
    await shows(page, 'This sign-in has expired');

    // The application's client_id is the same word.
    secrets.delete(dana.password);
    const outputs = stack.outputs();
    // They do log, so there is something to look at.
    expect(outputs.provider).toContain('"level"');
    expect(secrets).toContain(grace.password);
    expect(secrets).toContain('wrong-and-never-to-be-logged');
    expect(secrets.size).toBeGreaterThan(10);
    const leaked = Object.entries(outputs).flatMap(([name, output]) =>
      [...secrets].filter((secret) => output.includes(secret)).map((secret) => `${name}: ${secret.slice(0, 12)}…`),
    );
    expect(leaked).toEqual([]);
  });
});
