export interface PeerUser {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** The users of a server with a directory of its own. More than log in at once, so that no user has two logins at once. */
export const peerUsers: readonly PeerUser[] = Array.from({ length: 128 }, (_, index) => {
  const name = `user${String(index + 1).padStart(4, '0')}`;
  return { name, email: `${name}@example.com`, password: `a password of ${name}` };
});

/** Returns the users in turn. */
export const takeTurns = (users: readonly PeerUser[] = peerUsers): (() => PeerUser) => {
  let next = 0;
  return () => users[next++ % users.length] as PeerUser;
};
