import { verifySync } from '@node-rs/bcrypt';
import type { Scheme } from './scheme.ts';

const pattern = /^\$2[aby]\$(\d\d)\$[\w./]{53}$/;
const maxBytes = 72;
const maxCost = 14;

/** bcrypt (`$2a$`, `$2b$`, `$2y$`). */
export const bcrypt: Scheme = (encoded) => {
  const [match, cost] = pattern.exec(encoded) ?? [];
  if (match === undefined) return undefined;
  return {
    cost: `bcrypt ${Number(cost)}`,
    problem: Number(cost) < 4 || Number(cost) > maxCost ? `the cost must be 4 to ${maxCost}` : undefined,
    matches: (password) => {
      const matches = verifySync(password, encoded);
      // bcrypt ignores all bytes after the 72nd: a longer password would be accepted whatever it ends with.
      return matches && Buffer.byteLength(password) <= maxBytes;
    },
  };
};
