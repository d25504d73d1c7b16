import type { ReactNode } from 'react';

/** A name that the page did not choose. Its script may have another direction than the page. */
export function Strong({ children }: { children: ReactNode }) {
  return <strong dir="auto">{children}</strong>;
}
