/** Requests each page while its caller works on the page before it. */
export const readAhead = async function* <Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  for (let next = pages.next(); ; ) {
    const { value, done } = await next;
    if (done) return;
    next = pages.next();
    // The caller may fail before it takes this page.
    next.catch(() => {});
    yield value;
  }
};
