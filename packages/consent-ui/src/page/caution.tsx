import type { ReactNode } from 'react';

export interface CautionProps {
  readonly id?: string;
  /** Displayed only while the page cannot ask for passkeys: the script of the page hides the warning. */
  readonly isWithoutPasskeys?: boolean;
  readonly children: ReactNode;
}

/** A warning. */
export function Caution({ id, isWithoutPasskeys = false, children }: CautionProps) {
  return (
    <div className="caution" id={id} data-without-passkeys={isWithoutPasskeys ? '' : undefined}>
      <svg
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d="M12 4 2.5 20h19L12 4ZM12 10v4.5M12 17.4v.1" />
      </svg>
      <p>{children}</p>
    </div>
  );
}
