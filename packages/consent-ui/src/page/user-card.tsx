export interface UserCardProps {
  readonly name: string;
  readonly detail?: string | undefined;
}

/** The user whose account a page is about. */
export function UserCard({ name, detail }: UserCardProps) {
  return (
    <p className="person">
      <i aria-hidden="true">{[...name][0]?.toUpperCase()}</i>
      <span>
        {name}
        {detail && <small>{detail}</small>}
      </span>
    </p>
  );
}
