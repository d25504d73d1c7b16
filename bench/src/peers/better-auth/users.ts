import { type PeerUser, peerUsers } from '../users.ts';

/** `server.mjs` hashes passwords that begin with this word with SHA-256. */
export const cheapUsers: readonly PeerUser[] = peerUsers.map(({ name, email, password }) => ({
  name,
  email: `cheap-${email}`,
  password: `cheap ${password}`,
}));
