import type { ReactNode } from 'react';
import type { Section } from './saved.ts';

export interface OverviewSectionProps {
  readonly id: Section;
  readonly title: string;
  readonly text?: string | undefined;
  readonly children: ReactNode;
}

/** A section of the overview. */
export function OverviewSection({ id, title, text, children }: OverviewSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {text && <p className="lead">{text}</p>}
      {children}
    </section>
  );
}

export interface ItemProps {
  readonly title: ReactNode;
  readonly details: readonly (ReactNode | false | undefined)[];
  /** The actions of the item. `title` is part of the accessible name of each link. */
  readonly links: readonly { readonly label: string; readonly href: string }[];
  readonly name: string;
}

/** An item of a list: a factor, a session, an application. */
export function Item({ title, details, links, name }: ItemProps) {
  const shown = details.filter((detail) => detail !== undefined && detail !== false && detail !== '');
  return (
    <li className="item">
      <span>
        {title}
        {shown.map((detail, index) => (
          <small key={index}>{detail}</small>
        ))}
      </span>
      {links.map(({ label, href }) => (
        <a key={href} href={href} aria-label={`${label}: ${name}`}>
          {label}
        </a>
      ))}
    </li>
  );
}
