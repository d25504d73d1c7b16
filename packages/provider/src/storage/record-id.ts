import { hash } from 'node:crypto';

/** The id of a record: SHA-256 of its real id, base64url, so that a copy of the store contains no usable token. */
export const recordId = (id: string): string => hash('sha256', id, 'base64url');
