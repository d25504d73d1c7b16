import { issuerUrl } from '@carnet/provider/server';
import { ask, parseObject } from './ask.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** Whether this provider answers under the issuer. */
export const issuer: Check = {
  name: 'issuer',
  run: async ({ config }) => {
    const url = issuerUrl(config.issuer, '/.well-known/openid-configuration');
    const answer = await ask(url);
    if (typeof answer === 'string') {
      return [
        fail(
          `${config.issuer} does not answer: ${answer}`,
          'Start `carnet serve`, and make the host name resolve to it, or to the proxy in front of it.',
        ),
      ];
    }
    const { response, text } = answer;
    if (response.status === 421) {
      return [
        fail(
          'the proxy sends a Host header that differs from the issuer',
          'Forward the Host header (nginx: `proxy_set_header Host $host;`), or add the received host to http.allowedHosts.',
        ),
      ];
    }
    const document = response.status === 200 ? parseObject(text) : undefined;
    if (document === undefined) {
      return [
        fail(
          `${url} answers with status ${response.status} and without JSON`,
          'Another server answers there: check where the proxy sends the path of the issuer.',
        ),
      ];
    }
    if (document.issuer !== config.issuer) {
      return [
        fail(
          `the server there has the issuer ${JSON.stringify(document.issuer)}`,
          'Set `issuer` to the URL that clients use, or check which process the proxy sends requests to.',
        ),
      ];
    }
    const found = ok(`${config.issuer} answers with its own issuer`);
    return config.issuer.startsWith('https:')
      ? [found]
      : [found, warn('it is not https', 'Use http only for development.')];
  },
};
