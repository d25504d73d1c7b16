import { describe, expect, it } from 'vitest';
import { passwordHashProblem } from './parse-hash.ts';
import { createPasswordHashing } from './password-hashing.ts';

const password = 'corréct horse';

/** Made by other programs: Python's hashlib, libxcrypt, and the test vectors of argon2's reference implementation. */
const foreign: readonly (readonly [string, string, string])[] = [
  ['{SSHA}', '{SSHA}y/ZQUIMMP8oS6v2iL0Ygf4Efil4wMTIzNDU2Nw==', password],
  [
    '{SSHA512}',
    '{SSHA512}LTx3aA2Rf2Be0siJxWJjZ+Y5aTaXRYQTtpyDm9HTQFA46/GpM7qEOQluD7F9Zrvg9Qib73OotfNuGSRNBUCLQjAxMjM0NTY3ODlhYmNkZWY=',
    password,
  ],
  ["Django's PBKDF2", 'pbkdf2_sha256$1000$django-salt$ufSdwBK5ka0VsYpSkhE1GspwAiivTkNDUmyuTpA1mrg=', password],
  [
    'PBKDF2 as PHC',
    '$pbkdf2-sha256$i=1000,l=32$MDEyMzQ1Njc4OWFiY2RlZg$Xlys7Bu6RvRr0sd3oPwwRMnQHAaucvxFwlTn8UdpAxY',
    password,
  ],
  [
    "passlib's PBKDF2",
    '$pbkdf2-sha512$1000$MDEyMzQ1Njc4OWFiY2RlZg$sAhzepvbxZKl4PeFuMTdIO911QAjNNAhrYKDPocbwDbUvWR57iCMz1XRZCDNR8NT6NdvG9pV9W/r9ccicAhbXw',
    password,
  ],
  [
    'scrypt as PHC',
    '$scrypt$ln=10,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$VaFGQNJjamSLICY6SqcV+pf8jdFL9e+apQlJFo2Urgc',
    password,
  ],
  [
    "Django's scrypt",
    'scrypt$1024$django-salt$8$5$0WTW5X0Ns7Hyo6OZnLVkjbOYPJPHBm9m7+gvo20NXhvqRtRfXNU3+58/x9XHZuak64sYoLUT2HGSSkl9ZBuQdw==',
    password,
  ],
  [
    // The vector of github.com/firebase/scrypt.
    "Firebase's scrypt",
    '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
    'user1password',
  ],
  ['bcrypt $2b$', '$2b$05$CCCCCCCCCCCCCCCCCCCCC.HG1oUozq0RtL5jOsWqPbXDMMoWVVaXK', password],
  ['bcrypt $2y$', '$2y$05$CCCCCCCCCCCCCCCCCCCCC.HG1oUozq0RtL5jOsWqPbXDMMoWVVaXK', password],
  ['bcrypt $2a$', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U'],
  ['argon2i', '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA', 'password'],
  ['argon2id', '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc', 'password'],
];

const salt = 'MDEyMzQ1Njc4OWFiY2RlZg';
const key = 'Xlys7Bu6RvRr0sd3oPwwRMnQHAaucvxFwlTn8UdpAxY';

describe('hashes of other programs', () => {
  const hashing = createPasswordHashing();

  it.each(foreign)('%s is verified', async (_format, encoded, right) => {
    expect(passwordHashProblem(encoded)).toBeUndefined();
    expect(await hashing.verify(encoded, right, 'owner')).toBe(true);
    expect(await hashing.verify(encoded, `${right} `, 'owner')).toBe(false);
    expect(await hashing.verify(encoded, '', 'owner')).toBe(false);
  });

  it('bcrypt does not accept a password of more than 72 bytes, of which it would ignore the end', async () => {
    const { hashSync } = await import('bcryptjs');
    const encoded = hashSync('x'.repeat(72), 4);
    expect(await hashing.verify(encoded, 'x'.repeat(72), 'owner')).toBe(true);
    expect(await hashing.verify(encoded, 'x'.repeat(73), 'owner')).toBe(false);
  });
});

describe('hashes that are refused', () => {
  it.each([
    ['4 GiB of argon2', `$argon2id$v=19$m=4194304,t=1,p=1$${salt}$${key}`, /m must be/],
    ['argon2 with a million iterations', `$argon2id$v=19$m=8,t=1000000,p=1$${salt}$${key}`, /t must be/],
    ['argon2 with 255 lanes', `$argon2id$v=19$m=19456,t=2,p=255$${salt}$${key}`, /p must be/],
    ['argon2 with less memory than its lanes need', `$argon2id$v=19$m=8,t=2,p=2$${salt}$${key}`, /m must be/],
    ['argon2 with much memory and many iterations', `$argon2id$v=19$m=262144,t=32,p=1$${salt}$${key}`, /m \* t/],
    ['bcrypt of cost 31', '$2b$31$CCCCCCCCCCCCCCCCCCCCC.HG1oUozq0RtL5jOsWqPbXDMMoWVVaXK', /cost must be/],
    ['a thousand million iterations of PBKDF2', `$pbkdf2-sha256$i=1000000000,l=32$${salt}$${key}`, /iterations/],
    ['PBKDF2 without iterations', `$pbkdf2-sha256$i=0,l=32$${salt}$${key}`, /iterations/],
    ['scrypt with 128 GiB', `$scrypt$ln=27,r=8,p=1$${salt}$${key}`, /256 MiB/],
    ["Firebase's scrypt with 512 MiB", '$fbscrypt$v=1,n=19,r=8,p=1,sk=AAAA$AAAA$AAAA', /n must be/],
    ['scrypt of an odd N', 'scrypt$1000$salt$8$1$Xlys7Bu6RvRr0sd3oPwwRMnQHAaucvxFwlTn8UdpAxY=', /power of two/],
    ['scrypt with 16 large lanes', `$scrypt$ln=17,r=16,p=16$${salt}$${key}`, /512 MiB/],
  ])('%s', async (_what, encoded, problem) => {
    expect(passwordHashProblem(encoded)).toMatch(problem);
    expect(await createPasswordHashing().verify(encoded, password, 'owner')).toBe(false);
  });

  it.each([
    ['a password', 'secret'],
    ['nothing', ''],
    ['argon2d', `$argon2d$v=19$m=19456,t=2,p=1$${salt}$${key}`],
    ['an unsalted digest', '{SHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk='],
    ['a digest without its salt', '{SSHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk='],
    ['MD5 of crypt', '$1$abc$def'],
    ['a length that is not the key’s', `$pbkdf2-sha256$i=1000,l=16$${salt}$${key}`],
    ['two lines', `$pbkdf2-sha256$i=1000,l=32$${salt}$${key}\n`],
  ])('%s, whose format is unknown', async (_what, encoded) => {
    expect(passwordHashProblem(encoded)).toMatch(/is not a hash/);
    expect(await createPasswordHashing().verify(encoded, encoded, 'owner')).toBe(false);
  });
});
