import { createCipheriv, scryptSync, timingSafeEqual } from 'node:crypto';
import { fromBase64, type ParsedHash, type Scheme } from './scheme.ts';

const base64 = String.raw`[\w+/]{1,256}={0,2}`;
/** `$fbscrypt$v=1,n=14,r=8,p=1,ss=<salt separator>,sk=<signer key>$<salt>$<hash>`, as Supabase writes it. */
const pattern = new RegExp(
  String.raw`^\$fbscrypt\$v=1,n=(\d{1,2}),r=(\d{1,2}),p=1(?:,ss=(${base64}))?,sk=(${base64})\$(${base64})\$(${base64})$`,
);

const problemOf = (memoryCost: number, rounds: number): string | undefined => {
  if (memoryCost < 1 || memoryCost > 14) return 'n must be 1 to 14';
  return rounds < 1 || rounds > 8 ? 'r must be 1 to 8' : undefined;
};

/**
 * The hashes of Firebase (github.com/firebase/scrypt): a key from the password and the salt encrypts the signer key of the
 * project, and the ciphertext is the hash.
 */
export const firebaseScrypt: Scheme = (encoded) => {
  const [match, n, r, separator = '', signerKey = '', salt = '', hash = ''] = pattern.exec(encoded) ?? [];
  if (match === undefined) return undefined;
  const [memoryCost, rounds, expected] = [Number(n), Number(r), fromBase64(hash)];
  const signed = fromBase64(signerKey);
  if (expected.length !== signed.length) return undefined;
  const matches: ParsedHash['matches'] = (password) => {
    const salted = Buffer.concat([fromBase64(salt), fromBase64(separator)]);
    const options = { cost: 2 ** memoryCost, blockSize: rounds, parallelization: 1 };
    const key = scryptSync(password, salted, 32, options);
    return timingSafeEqual(createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(signed), expected);
  };
  return { cost: `firebase-scrypt ${memoryCost} ${rounds}`, problem: problemOf(memoryCost, rounds), matches };
};
