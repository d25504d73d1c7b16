import { describe, expect, it } from 'vitest';
import { isDocumentUrl } from './document-url.ts';

describe('a client_id that is the URL of a metadata document', () => {
  it.each([
    'https://app.example.com/oauth/client.json',
    'https://app.example.com:8443/client',
    'https://app.example.com/',
    'https://app.example.com/client?v=1',
  ])('may be %s', (id) => expect(isDocumentUrl(id)).toBe(true));

  it.each([
    'app',
    'http://app.example.com/client',
    'HTTPS://app.example.com/client',
    'https://App.example.com/client',
    'https://app.example.com',
    'https://app.example.com:443/client',
    'https://app.example.com/a/../client',
    'https://app.example.com/a/%2e%2E/client',
    'https://app.example.com/./client',
    'https://app.example.com/client#part',
    'https://app.example.com/client#',
    'https://user@app.example.com/client',
    'https://user:secret@app.example.com/client',
    'https://app.example.com\\client',
    'https://app.example.com/cli ent',
    'https://app.example.com/client\u0000',
    'https:///client',
    `https://app.example.com/${'a'.repeat(255)}`,
  ])('a document URL never has the form %j', (id) => expect(isDocumentUrl(id)).toBe(false));
});
