const maxLength = 320;

/**
 * Characters that are not visible: controls, formats (zero width, direction), surrogates, separators of lines, and those
 * that Unicode allows programs to ignore. An LDAP server ignores some of them in comparisons (RFC 4518, section 2.2), so
 * that two different logins would find one user.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufffc\ufffd]/u;

/** Realms and LDAP servers ignore this white space, so that different logins would find one user. */
const spacedSeparator = /\s[@\\]|[@\\]\s/;

/**
 * The login name as directories know it: width, case, composition and surrounding white space do not matter. Idempotent.
 * Letters of other scripts that look alike stay different letters. Undefined for a text that is no login name: it is empty,
 * has more than 320 characters, invisible characters, or white space beside `@` or `\\`.
 */
export const normaliseLogin = (text: string): string | undefined => {
  if (text.length > maxLength || invisible.test(text)) return undefined;
  const login = text.trim().normalize('NFKC').toLowerCase().normalize('NFKC').trim();
  const isLogin = login !== '' && login.length <= maxLength && !invisible.test(login) && !spacedSeparator.test(login);
  return isLogin ? login : undefined;
};
