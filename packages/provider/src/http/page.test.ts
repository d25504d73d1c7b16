import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renderPage } from './page.ts';

const bodyOf = (page: Parameters<typeof renderPage>[0]): string => renderPage(page).body as string;

describe('renderPage', () => {
  it('escapes everything it is given', () => {
    const hostile = `"><script>alert('1')</script>&`;
    const html = bodyOf({
      status: 400,
      title: hostile,
      message: hostile,
      link: { href: `/?x=${hostile}`, label: hostile },
      requestId: hostile,
    });
    expect(html).not.toContain('<script');
    expect(html).toContain('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;');
    expect(html.match(/href="([^"]*)"/)?.[1]).toContain('&lt;script');
  });

  it('allows its own style sheet by hash and nothing else', () => {
    const { headers, body } = renderPage({ status: 400, title: 'T', message: 'M' });
    const style = /<style>([\s\S]*)<\/style>/.exec(body as string)?.[1] as string;
    const digest = createHash('sha256').update(style).digest('base64');
    expect(headers?.['Content-Security-Policy']).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(body).toContain('<meta name="referrer" content="no-referrer">');
    expect(body).not.toMatch(/src=|@import|url\(|style="/);
  });

  it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', ' javascript:1'])(
    'shows no link to %j',
    (href) => {
      expect(bodyOf({ status: 400, title: 'T', message: 'M', link: { href, label: 'Go' } })).not.toContain('<a ');
    },
  );

  it.each(['https://app.example/login', '/start', '?again=1'])('links to %s', (href) => {
    expect(bodyOf({ status: 410, title: 'T', message: 'M', link: { href, label: 'Start again' } })).toContain(
      `href="${href}"`,
    );
  });

  it.each(['https://a;sandbox/', 'https://a,frame-src/', "https://a'none'/", 'https://*.test/', 'javascript:1', 'x'])(
    'loads no frame of %s, and keeps it out of the policy',
    (hostile) => {
      const frames = ['https://good.test:8443/out?a=1', hostile, 'http://[::1]:3000/', 'https://bücher.test/'];
      const { headers, body } = renderPage({ status: 200, title: 'T', message: 'M', frames });
      expect(headers?.['Content-Security-Policy']).toContain(
        '; frame-src https://good.test:8443 http://[::1]:3000 https://xn--bcher-kva.test; base-uri',
      );
      expect((body as string).match(/<iframe /g)).toHaveLength(3);
    },
  );
});
