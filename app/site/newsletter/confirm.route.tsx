import {
  redirect,
  type ActionFunctionArgs,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { confirmSubscription, findConfirmation } from '#app/newsletter/subscribers.server.ts';
import { newsletterTexts } from '#app/newsletter/texts.ts';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { privately, requireNewsletter } from './answers.server.ts';

export async function loader({ params, context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  await requireNewsletter(app);
  const subscriber = await findConfirmation(app, params.token ?? '');
  return privately(
    { isValid: subscriber !== null, language: subscriber?.language || undefined },
    subscriber ? 200 : 404,
  );
}

export async function action({ params, context }: ActionFunctionArgs) {
  const app = await appOf(context);
  await requireNewsletter(app);
  const subscriber = await confirmSubscription(app, params.token ?? '');
  if (!subscriber) return privately({ isValid: false }, 404);
  return redirect(`/subscription/${subscriber.token}?confirmed`, {
    status: 303,
    headers: { 'Cache-Control': 'no-store' },
  });
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction<typeof loader> = ({ matches }) => {
  const site = siteOf(matches);
  const title = newsletterTexts(site.language).confirmHeading;
  return pageMeta(site, { title, description: title, path: '/subscribe', noIndex: true });
};

export default function Confirm() {
  const { isValid } = useLoaderData<typeof loader>();
  const texts = newsletterTexts(useSite().language);
  return (
    <div className="list-page newsletter-page">
      <header className="page-heading">
        <h1>{texts.confirmHeading}</h1>
      </header>
      <p>{isValid ? texts.confirmText : texts.linkEnded}</p>
      {isValid ? (
        <form method="post" className="subscribe-form">
          <button>{texts.confirm}</button>
        </form>
      ) : (
        <p>
          <a href="/subscribe">{texts.subscribe}</a>
        </p>
      )}
    </div>
  );
}
