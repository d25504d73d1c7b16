import type { ReactNode } from 'react';

export interface AccountCardProps {
  readonly name: string;
  readonly detail?: string | undefined;
  /** Links below the name. */
  readonly children?: ReactNode;
}

/** The account with which the user acts. */
export function AccountCard({ name, detail, children }: AccountCardProps) {
  return (
    <div className="person">
      <i aria-hidden="true">{[...name][0]?.toUpperCase()}</i>
      <span>
        <bdi>{name}</bdi>
        {detail && detail !== name && (
          <small>
            <bdi>{detail}</bdi>
          </small>
        )}
        {children}
      </span>
    </div>
  );
}
