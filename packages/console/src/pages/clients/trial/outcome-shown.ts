import { clientsMessages } from '../../../messages/clients/index.ts';
import { commonMessages } from '../../../messages/common/index.ts';
import { type Html, html } from '../../../page/html.ts';
import type { PageContext } from '../../../page/route.ts';
import { definitions } from '../../../page/table.ts';
import type { DecodedToken, Outcome, Step } from './exchange.ts';

const json = (value: unknown): Html => html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;

/** The requests of a trial and its tokens, decoded. */
export const outcomeShown = (
  { language }: Pick<PageContext, 'language'>,
  { steps, idToken, accessToken, hasRefreshToken }: Outcome,
): Html => {
  const { trial } = clientsMessages(language);
  const { yes, no } = commonMessages(language);

  const stepShown = (title: string, step: Step | undefined): Html =>
    step === undefined
      ? html``
      : html`<h2>${title}</h2><p><code>${step.method} ${step.url}</code></p>${definitions(Object.entries(step.parameters))}
<h3>${trial.response} (${step.status})</h3><pre tabindex="0">${step.response}</pre>`;

  const tokenShown = (title: string, token: DecodedToken | undefined): Html => {
    if (token === undefined) return html``;
    if (token.claims === undefined) return html`<h3>${title}</h3><p>${trial.opaque}</p>`;
    return html`<h3>${title}</h3><h4>${trial.header}</h4>${json(token.header)}<h4>${trial.claims}</h4>${json(token.claims)}`;
  };

  const [tokenStep, userinfoStep] = steps;
  const tokens =
    accessToken === undefined
      ? ''
      : html`<h2>${trial.step4}</h2>${idToken === undefined ? '' : html`<p>${trial.validated}</p>`}
${tokenShown(trial.idToken, idToken)}${tokenShown(trial.accessToken, accessToken)}
${definitions([[trial.refreshToken, hasRefreshToken ? yes : no]])}`;
  return html`${stepShown(trial.step3, tokenStep)}${tokens}${stepShown(trial.step5, userinfoStep)}`;
};
