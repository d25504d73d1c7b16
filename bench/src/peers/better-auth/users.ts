import { type PeerUser, peerUsers } from '../users.ts';

/** Users whose passwords `server.mjs` hashes with SHA-256, because they begin with `cheap`. */
export const cheapUsers: readonly PeerUser[] = peerUsers.map(({ name, email, password }) => ({
  name,
  email: `cheap-${email}`,
  password: `cheap ${password}`,
}));
