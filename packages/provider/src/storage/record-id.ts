import { hash } from 'node:crypto';

/** What a record is stored under: SHA-256 of its real id, base64url, so that a copy of the store holds no usable token. */
export const recordId = (id: string): string => hash('sha256', id, 'base64url');
