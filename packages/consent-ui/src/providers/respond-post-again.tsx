import { HiddenFields, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { respond } from '../page/respond.ts';
import { viewOf } from '../page/view.ts';
import type { Services } from '../services.ts';

/** The field that distinguishes the form of this page from that of the provider. */
export const postedAgain = 'carnet_posted_again';

/**
 * The page that posts the answer of a provider again, from this site: the browser then sends the cookie of the flow. The script
 * of the page posts the form at once.
 *
 * Safe although any site can post to it because the form leads to the same page only, which accepts no answer without the
 * cookie of its flow.
 */
export const respondPostAgain = (
  services: Pick<Services, 'ui'>,
  request: Request,
  form: URLSearchParams,
): Promise<Response> => {
  const view = viewOf(services, request);
  const { login, providers } = view.text;
  const fields = { ...Object.fromEntries(form), [postedAgain]: '1' };
  // Without the language buttons: they would open this page without the answer.
  const shown = { ...view, languages: [view.language] } as const;
  const page = (
    <Page view={shown} title={providers.oneMoreStep} text={providers.postAgain}>
      <form method="post" action={view.url.pathname} id="post-again">
        <HiddenFields fields={fields} />
        <Submit label={login.next} />
      </form>
    </Page>
  );
  return respond(shown, page);
};
