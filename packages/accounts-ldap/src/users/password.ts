/**
 * Whether a bind with this password proves that it is right. On some servers, a bind with an empty password succeeds as
 * anonymous (RFC 4513, section 5.1.2), and some ignore all characters after NUL.
 */
export const isUsablePassword = (password: string): boolean => password !== '' && !password.includes('\0');
