import { escapeHtml } from '@carnet/adapter-contract/kit';
import type { HttpResponse } from './types.ts';

/** Characters that a header must not contain. They are percent-encoded, like a `%` that begins no escape. */
const unsafe = /[^\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7a\x7c\x7e]|%(?![0-9A-Fa-f]{2})/gu;

/** A redirect of a browser. */
export const redirect = (status: 302 | 303, url: string): HttpResponse => ({
  status,
  headers: { Location: url.replaceAll(unsafe, encodeURIComponent), 'Content-Type': 'text/html; charset=utf-8' },
  body: `Redirecting to ${escapeHtml(url)}.`,
});
