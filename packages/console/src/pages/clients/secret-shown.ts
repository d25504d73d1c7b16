import type { ChangedOAuth2Client, CreatedOAuth2Client } from '@carnet/provider';
import { clientsMessages } from '../../messages/clients/index.ts';
import { type Html, html } from '../../page/html.ts';
import type { PageContext } from '../../page/route.ts';

/** The secret of a change, the only time that it can be read. */
export const secretShown = (
  { language }: Pick<PageContext, 'language'>,
  { client_secret: secret, ...client }: ChangedOAuth2Client & Partial<CreatedOAuth2Client>,
): Html => {
  const texts = clientsMessages(language).secret;
  const { registration_access_token: token } = client;
  const registration =
    token === undefined
      ? ''
      : html`<details><summary>${texts.registrationToken}</summary><p>${texts.registrationHint}</p><pre>${token}</pre></details>`;
  if (secret === undefined) return html`<p>${texts.none}</p>${registration}`;
  return html`<h2>${texts.title}</h2><p>${texts.once}</p><pre>${secret}</pre>${registration}`;
};
