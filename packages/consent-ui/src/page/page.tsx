import type { ReactNode } from 'react';
import { LanguageForm } from './language-form.tsx';
import type { View } from './view.ts';

export interface PageProps {
  readonly view: View;
  readonly title: string;
  readonly children: ReactNode;
}

/** The frame of every page. */
export function Page({ view, title, children }: PageProps) {
  return (
    <html lang={view.language} dir={view.direction}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <style>{view.brand.stylesheet}</style>
      </head>
      <body>
        <header>
          <p className="brand">
            <Mark />
            {view.brand.name}
          </p>
        </header>
        <main>{children}</main>
        <footer>
          <LanguageForm view={view} />
        </footer>
      </body>
    </html>
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
