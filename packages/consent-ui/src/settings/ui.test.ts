import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { showAsset } from '../brand/show-asset.ts';
import { scopeText } from '../consent/scopes.ts';
import { showError } from '../page/error-page.tsx';
import { defaultUi } from '../page/ui.ts';
import { viewOf } from '../page/view.ts';
import { ConfigError, readConfig } from './config.ts';
import { fromEnvironment } from './read-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'brand-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const uiOf = (env: Record<string, string>) => ({
  ...readConfig(fromEnvironment(env)).ui,
  secureCookies: false,
});

const problemsOf = (env: Record<string, string>): string => {
  try {
    uiOf(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  return '';
};

describe('the links at the foot of the pages', () => {
  it('are those of the operator, in the language of the page', async () => {
    const ui = uiOf({ UI_PRIVACY_URL: 'https://acme.example/privacy', UI_HELP_URL: 'mailto:help@acme.example' });
    const html = await (await showError({ ui }, new Request('http://ui/error?ui_locales=de'))).text();
    expect(html).toContain('<a href="https://acme.example/privacy" rel="noopener noreferrer">Datenschutzerklärung</a>');
    expect(html).toContain('<a href="mailto:help@acme.example" rel="noopener noreferrer">Hilfe</a>');
    expect(html).not.toContain('Nutzungsbedingungen');
  });

  it('are web pages or addresses, and terms to accept need a URL', () => {
    expect(problemsOf({ UI_HELP_URL: 'javascript:alert(1)' })).toContain('UI_HELP_URL must be');
    expect(problemsOf({ UI_TERMS_REQUIRED: '1' })).toContain('needs UI_TERMS_URL');
    expect(problemsOf({ UI_TERMS_REQUIRED: 'yes' })).toContain('must be true or false, in a variable 1 or 0');
  });
});

describe('the background', () => {
  it('a color as background changes the texts where contrast requires it', async () => {
    const ui = uiOf({ UI_BACKGROUND_COLOR: '#0b2545', UI_BACKGROUND_COLOR_DARK: '#000' });
    const [light = '', dark = ''] = ui.brand.stylesheet.match(/:root\{[^}]*\}/g) ?? [];
    for (const property of ['--ground:#0b2545', '--ground-brand:#ffffff']) expect(light).toContain(property);
    for (const property of ['--ground:#000000', '--ground-brand:#6cc7a8']) expect(dark).toContain(property);
    expect(problemsOf({ UI_BACKGROUND_COLOR: 'navy' })).toContain('UI_BACKGROUND_COLOR must be a color');
  });

  it('a picture as background gives header and footer the color of the card', async () => {
    const ui = uiOf({ UI_BACKGROUND_FILE: file('sea.webp', 'webp') });
    expect(ui.brand.stylesheet).toMatch(/url\("\/brand\/background\?v=[\w-]{12}"\) center\/cover/);
    const picture = await showAsset({ ui }, new Request('http://ui/brand/background'));
    expect(picture.headers.get('content-type')).toBe('image/webp');
    expect(problemsOf({ UI_BACKGROUND_FILE: file('sea.tiff', 'x') })).toContain('UI_BACKGROUND_FILE must be a file');
  });
});

describe('the brand', () => {
  it('has a name, colors, logos and CSS', async () => {
    const ui = uiOf({
      UI_NAME: 'Acme & Sons',
      UI_COLOR: '#0057b8',
      UI_LOGO_FILE: file('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      UI_LOGO_DARK_FILE: file('dark.png', 'png'),
      UI_CSS_FILE: file('own.css', 'main{border-radius:0}'),
    });
    const response = await showError({ ui }, new Request('http://ui/error'));
    const html = await response.text();
    expect(html).toContain('--brand:#0057b8');
    expect(html).toContain('main{border-radius:0}');
    expect(html).toMatch(/<img src="\/brand\/logo\?v=[\w-]{12}" alt="Acme &amp; Sons"/);
    expect(html).toMatch(/<source media="\(prefers-color-scheme: dark\)" srcSet="\/brand\/logo-dark\?v=/);
    expect(html).toContain('<title>The request failed · Acme &amp; Sons</title>');
    expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${ui.brand.styleHash}'`);

    const logo = await showAsset({ ui }, new Request('http://ui/brand/logo'));
    expect(logo.headers.get('content-type')).toBe('image/svg+xml');
    expect(logo.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await showAsset({ ui }, new Request('http://ui/brand/logo-dark'))).headers.get('content-type')).toBe(
      'image/png',
    );
    expect(await (await showAsset({ ui }, new Request('http://ui/brand/icon'))).text()).toContain('>A</text>');
  });

  it.each(['nothing', 'logo', '__proto__', 'constructor', './config'])('has no file %s', async (name) => {
    const request = new Request(`http://ui/brand/${encodeURIComponent(name)}`);
    await expect(showAsset({ ui: defaultUi }, request)).rejects.toMatchObject({ code: 'invalid_link' });
  });

  it('gets a dark color from the light one', () => {
    expect(uiOf({ UI_COLOR: '#0a0a5a' }).brand.stylesheet).not.toMatch(/dark\)\{[^}]*--brand:#0a0a5a/);
  });
});

describe('problems of the brand', () => {
  it('are reported all at once', () => {
    const problems = problemsOf({
      CARNET_ADMIN_URL: 'x',
      UI_COLOR: 'green',
      UI_COLOR_DARK: '#000',
      UI_LOGO_FILE: join(folder, 'absent.svg'),
      UI_CSS_FILE: file('bad.css', "@import 'https://elsewhere.example/x.css';</style><script>"),
      UI_LANGUAGES: 'de tlh',
      UI_COLOUR: '#000',
      UI_COOKIE_SECRET: 'short',
    });
    for (const text of [
      'CARNET_ADMIN_URL must be',
      'UI_COLOR must be a color such as',
      'UI_COLOR_DARK=#000 has a contrast of 1.1',
      'UI_LOGO_FILE: ',
      'must not contain </style',
      'must not use @import',
      'UI_LANGUAGES must be one of',
      'UI_COLOUR is not a variable of the consent UI: did you mean UI_COLOR?',
      'UI_COOKIE_SECRET needs at least 32 characters',
    ]) {
      expect(problems).toContain(text);
    }
    expect(problems).not.toContain('short');
  });

  it('name a color that passes', () => {
    const [, proposed = ''] = /use (#[\da-f]{6})/.exec(problemsOf({ UI_COLOR: '#ffcc00' })) ?? [];
    expect(problemsOf({ UI_COLOR: proposed })).toBe('');
  });

  it('name a logo of an unknown type, a large one and a dark one alone', () => {
    expect(problemsOf({ UI_LOGO_FILE: file('logo.bmp', 'x') })).toContain('.svg, .png');
    expect(problemsOf({ UI_LOGO_FILE: file('logo.png', 'x'.repeat(600_000)) })).toContain('larger than 512 KiB');
    expect(problemsOf({ UI_LOGO_DARK_FILE: file('dark.svg', '<svg/>') })).toContain('needs UI_LOGO_FILE');
  });

  it('are not the variables that Kubernetes sets for a service', () => {
    expect(problemsOf({ UI_SERVICE_HOST: '10.0.0.1', UI_PORT: 'tcp://10.0.0.1:80', UI_PORT_80_TCP: 'x' })).toBe('');
  });
});

it('the first of UI_LANGUAGES is the default, and no other language is offered', () => {
  const ui = uiOf({ UI_LANGUAGES: 'de, fr' });
  const view = (language: string) =>
    viewOf({ ui }, new Request('http://ui/', { headers: { 'accept-language': language } }));
  expect([view('ja').language, view('fr-CH').language, view('ja').languages]).toEqual(['de', 'fr', ['de', 'fr']]);
});

describe('the texts of scopes', () => {
  const scopesIn = (language: string, scopes: object) => {
    const ui = uiOf({ UI_SCOPES_FILE: file('scopes.json', JSON.stringify(scopes)) });
    const view = viewOf({ ui }, new Request('http://ui/', { headers: { 'accept-language': language } }));
    return (scope: string) => scopeText(view, scope);
  };

  it('are in the language of the page, or in one that there is', () => {
    const scopes = {
      'orders.read': { en: 'See your orders', de: 'Ihre Bestellungen sehen' },
      admin: { fr: 'Tout gérer' },
    };
    expect(['orders.read', 'admin', 'other'].map(scopesIn('de', scopes))).toEqual([
      'Ihre Bestellungen sehen',
      'Tout gérer',
      undefined,
    ]);
    expect(scopesIn('ja', scopes)('orders.read')).toBe('See your orders');
  });

  it('can replace those of the standard scopes', () => {
    expect(scopesIn('en', { email: { en: 'Write to you' } })('email')).toBe('Write to you');
    expect(scopesIn('en', {})('offline')).toBe('Keep access while you are away');
    expect(scopesIn('en', {})('constructor')).toBeUndefined();
  });

  it.each([
    ['{', 'is not JSON'],
    ['{"a":{}}', 'a: a scope needs a text'],
    ['{"a":{"tlh":"x"}}', 'UI_SCOPES_FILE: a'],
    ['{"a":"text"}', 'UI_SCOPES_FILE: a'],
  ])('%s is refused at start', (content, problem) => {
    expect(problemsOf({ UI_SCOPES_FILE: file('scopes.json', content) })).toContain(problem);
  });
});
