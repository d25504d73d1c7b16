/**
 * Whether a bind with this password proves anything: a bind with an empty one succeeds as anonymous on some servers (RFC
 * 4513, section 5.1.2), and some read no further than NUL.
 */
export const isUsablePassword = (password: string): boolean => password !== '' && !password.includes('\0');
