export interface LinkLineProps {
  readonly id: string;
  readonly href: string;
  readonly label: string;
  /** Whether the line is in small print, as at the end of a page. */
  readonly isFine?: boolean;
}

/** A line with a link. */
export function LinkLine({ id, href, label, isFine = false }: LinkLineProps) {
  return (
    <p className={isFine ? 'fine' : undefined}>
      <a id={id} href={href}>
        {label}
      </a>
    </p>
  );
}
