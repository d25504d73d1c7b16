import type { ReactNode } from 'react';
import { assetUrl } from '../brand/brand.ts';
import { pageScript } from '../script/page-script.ts';
import { LanguageForm } from './language-form.tsx';
import type { View } from './view.ts';

export interface PageProps {
  readonly view: View;
  /** For the title bar of the browser. */
  readonly title: string;
  /** Default `title`. */
  readonly heading?: ReactNode;
  /** Below the heading. */
  readonly text?: ReactNode;
  /** Above the heading. */
  readonly picture?: ReactNode;
  /** Whether the page has more than one form's width. */
  readonly isWide?: boolean;
  readonly children?: ReactNode;
  /** The next step for the user, at the end of the page. */
  readonly action?: { readonly id: string; readonly label: string; readonly href: string } | undefined;
}

/** Every page: its frame, its heading, and what is special to it. */
export function Page(props: PageProps) {
  const { view, title, heading = title, text, picture, isWide = false, children, action } = props;
  return (
    <html lang={view.language} dir={view.direction}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${view.brand.name}`}</title>
        <link rel="icon" href={assetUrl(view.brand, 'icon')} type="image/svg+xml" />
        <style>{view.brand.stylesheet}</style>
      </head>
      <body>
        <header>
          <Logo view={view} />
        </header>
        <main className={isWide ? 'wide' : undefined}>
          {picture}
          <h1>{heading}</h1>
          {text && <p className="lead">{text}</p>}
          {children}
          {action && (
            <a className="button" id={action.id} href={action.href}>
              {action.label}
            </a>
          )}
        </main>
        <footer>
          <FooterLinks view={view} />
          <LanguageForm view={view} />
        </footer>
        <script>{pageScript}</script>
      </body>
    </html>
  );
}

/** The links of the operator: privacy policy, terms of service, help. */
function FooterLinks({ view }: { view: View }) {
  const { privacy, terms } = view.text.consent;
  const texts = { privacy, terms, help: view.text.help } as const;
  const links = (['privacy', 'terms', 'help'] as const).filter((name) => view.links[name]);
  if (links.length === 0) return null;
  return (
    <p className="links">
      {links.map((name) => (
        <a key={name} href={view.links[name]} rel="noopener noreferrer">
          {texts[name]}
        </a>
      ))}
    </p>
  );
}

/** The operator's logo; without one, the mark and the name. */
function Logo({ view }: { view: View }) {
  const logo = assetUrl(view.brand, 'logo');
  const darkLogo = assetUrl(view.brand, 'logo-dark');
  if (view.brand.foreignLogo)
    return (
      <p className="logo">
        <img src={view.brand.foreignLogo.href} alt={view.brand.name} referrerPolicy="no-referrer" />
      </p>
    );
  if (!logo) {
    return (
      <p className="brand">
        <Mark />
        <bdi>{view.brand.name}</bdi>
      </p>
    );
  }
  return (
    <picture className="logo">
      {darkLogo && <source media="(prefers-color-scheme: dark)" srcSet={darkLogo} />}
      <img src={logo} alt={view.brand.name} />
    </picture>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <rect x="5" y="3" width="22" height="26" rx="4" fill="currentColor" />
      <circle cx="16" cy="13" r="5" stroke="var(--ground)" strokeWidth="2" />
      <path d="M11 23.5h10" stroke="var(--ground)" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
