import { issuerUrl } from '@carnet/provider/server';
import { ask, parseJson } from './ask.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** Whether clients find us where the issuer says. */
export const issuer: Check = {
  name: 'issuer',
  run: async ({ config }) => {
    const url = issuerUrl(config.issuer, '/.well-known/openid-configuration');
    const answer = await ask(url);
    if (typeof answer === 'string') {
      return [
        fail(
          `${config.issuer} is not there: ${answer}`,
          'Start `carnet serve`, and see that the name leads to it, or to the proxy in front of it.',
        ),
      ];
    }
    const { response, text } = answer;
    if (response.status === 421) {
      return [
        fail(
          'the proxy sends another Host header than the issuer has',
          'Pass it on (nginx: `proxy_set_header Host $host;`), or add what arrives to http.allowedHosts.',
        ),
      ];
    }
    const document = response.status === 200 ? parseJson(text) : undefined;
    if (document === undefined) {
      return [
        fail(
          `${url} is answered with status ${response.status} and no JSON`,
          'Something else answers there: see where the proxy sends the path of the issuer.',
        ),
      ];
    }
    if (document.issuer !== config.issuer) {
      return [
        fail(
          `who answers there calls itself ${JSON.stringify(document.issuer)}`,
          'Set `issuer` to what clients use, or see which process the proxy leads to.',
        ),
      ];
    }
    const found = ok(`${config.issuer} answers as itself`);
    return config.issuer.startsWith('https:')
      ? [found]
      : [found, warn('it is not https', 'Fine for development; nowhere else.')];
  },
};
