/** A user code in groups of four, as devices show it (RFC 8628, section 6.1). The provider ignores the dashes. */
export const groupedCode = (code: string): string =>
  /^[a-z\d]{8,}$/i.test(code) ? (code.toUpperCase().match(/.{1,4}/g) ?? []).join('-') : code;
