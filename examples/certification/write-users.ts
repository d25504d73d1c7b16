// Writes the users of a certification to a file, with passwords that nobody else knows:
//   node examples/certification/write-users.ts users.json
// Carnet reads the file as a directory of the kind `file`: see README.md.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { hash } from '@node-rs/argon2';

/** Every standard claim of OpenID Connect Core, section 5.1. */
const allClaims = {
  name: 'Dana Moreno',
  given_name: 'Dana',
  middle_name: 'Inés',
  family_name: 'Moreno',
  nickname: 'Dani',
  preferred_username: 'dana',
  profile: 'https://example.com/dana',
  picture: 'https://example.com/dana.png',
  website: 'https://dana.example.com',
  gender: 'female',
  birthdate: '1990-04-12',
  zoneinfo: 'Europe/Madrid',
  locale: 'en',
  phone_number: '+34 600 000 000',
  phone_number_verified: false,
  address: { formatted: 'Calle Mayor 1\n28013 Madrid\nSpain', country: 'Spain' },
  updated_at: 1_767_225_600,
};

const users = [
  { subject: 'certification-1', email: 'demo@example.com', claims: allClaims },
  { subject: 'certification-2', email: 'grace@example.com', claims: { name: 'Grace Okafor' } },
];

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: node examples/certification/write-users.ts users.json');

const written = await Promise.all(
  users.map(async ({ subject, email, claims }) => {
    const password = randomBytes(12).toString('base64url');
    console.log(`${email} ${password}`);
    const passwordHash = await hash(password);
    return { subject, email, passwordHash, claims: { email, email_verified: true, ...claims } };
  }),
);
// An existing file is not replaced: a certification must not change its users halfway.
writeFileSync(path, `${JSON.stringify(written, undefined, 2)}\n`, { flag: 'wx', mode: 0o600 });
