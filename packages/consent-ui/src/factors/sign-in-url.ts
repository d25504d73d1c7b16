/** The path of a page of the sign-in, with its challenge. */
export const signInUrl = (
  challenge: string,
  page: '' | '/factor' | '/enrol' | '/passkey' | '/new-password' | '/keep-account' = '',
): string => `/login${page}?${new URLSearchParams({ login_challenge: challenge })}`;
