import type { ReactNode } from 'react';
import { Page } from './page.tsx';
import type { View } from './view.ts';

export interface NoticeProps {
  readonly view: View;
  readonly title: string;
  readonly text: ReactNode;
  /** The next step for the user. */
  readonly action?: { readonly id?: string; readonly label: string; readonly href: string } | undefined;
  readonly children?: ReactNode;
}

/** A page with a message. */
export function Notice({ view, title, text, action, children }: NoticeProps) {
  return (
    <Page view={view} title={title}>
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      {children}
      {action && (
        <a className="button" id={action.id} href={action.href}>
          {action.label}
        </a>
      )}
    </Page>
  );
}
