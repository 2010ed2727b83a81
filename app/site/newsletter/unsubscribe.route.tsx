import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { findByToken, unsubscribe } from '#app/newsletter/subscribers.server.ts';
import { newsletterTexts } from '#app/newsletter/texts.ts';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { privately } from './answers.server.ts';

export async function loader({ params, context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  const subscriber = await findByToken(app, params.token ?? '');
  if (!subscriber) throw await notFound(app);
  return privately({
    isUnsubscribed: subscriber.state === 'unsubscribed',
    language: subscriber.language || undefined,
  });
}

/** The button, and the one click of mail programs (RFC 8058): they send no cookie and follow no redirect. */
export async function action({ params, context }: ActionFunctionArgs) {
  const app = await appOf(context);
  const subscriber = await findByToken(app, params.token ?? '');
  if (!subscriber) throw await notFound(app);
  await unsubscribe(app, subscriber.id);
  return privately({ isUnsubscribed: true });
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction<typeof loader> = ({ matches }) => {
  const site = siteOf(matches);
  const title = newsletterTexts(site.language).unsubscribeHeading;
  return pageMeta(site, { title, description: title, path: '/subscribe', noIndex: true });
};

export default function Unsubscribe() {
  const isDone = useActionData<typeof action>()?.isUnsubscribed ?? false;
  const texts = newsletterTexts(useSite().language);
  return (
    <div className="list-page newsletter-page">
      <header className="page-heading">
        <h1>{texts.unsubscribeHeading}</h1>
      </header>
      {isDone ? (
        <p className="notice" role="status">
          {texts.unsubscribed}
        </p>
      ) : (
        <>
          <p>{texts.unsubscribeText}</p>
          <form method="post" className="subscribe-form">
            <button>{texts.unsubscribe}</button>
          </form>
        </>
      )}
    </div>
  );
}
