import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import * as z from 'zod';
import { appOf } from '#app/compose.server.ts';
import { frequencies } from '#app/newsletter/states.ts';
import {
  eraseSubscriber,
  exportSubscriber,
  findByToken,
  idsOf,
  savePreferences,
} from '#app/newsletter/subscribers.server.ts';
import { newsletterTexts } from '#app/newsletter/texts.ts';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { listChoices, privately, readCategoryIds, readSmallForm } from './answers.server.ts';
import { CategoryChoices } from './subscribe-form.tsx';

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  const subscriber = await findByToken(app, params.token ?? '');
  if (!subscriber) {
    // The page that follows an erasure has nobody to show.
    if (context.isErased) return privately({ subscriber: null, categories: [], isNew: false, token: '' });
    throw await notFound(app);
  }
  const ids = idsOf(subscriber.categories);
  const categories = await listChoices(app);
  const { email, state, frequency } = subscriber;
  return privately({
    token: subscriber.token,
    subscriber: {
      ...{ email, state, frequency },
      chosen: categories.filter(({ id }) => ids.includes(id)).map(({ slug }) => slug),
    },
    categories,
    isNew: new URL(request.url).searchParams.has('confirmed'),
    language: subscriber.language || undefined,
  });
}

const formSchema = z.object({
  intent: z.enum(['save', 'export', 'erase']).default('save'),
  frequency: z.enum(frequencies).default('each'),
});

export async function action({ params, request, context }: ActionFunctionArgs) {
  const app = await appOf(context);
  const subscriber = await findByToken(app, params.token ?? '');
  if (!subscriber) throw await notFound(app);
  const form = await readSmallForm(request);
  const fields = formSchema.safeParse(Object.fromEntries(form));
  if (!fields.success) return privately({ done: 'nothing' as const }, 400);
  const { intent, frequency } = fields.data;
  if (intent === 'export') {
    // A route with a page has no other way to send a file: `entry.server.tsx` sends this instead.
    context.admin = {
      response: Response.json(await exportSubscriber(app, subscriber), {
        headers: {
          'Cache-Control': 'no-store',
          'Content-Disposition': 'attachment; filename="subscription.json"',
        },
      }),
    };
    return privately({ done: 'nothing' as const });
  }
  if (intent === 'erase') {
    await eraseSubscriber(app, subscriber.id);
    context.isErased = true;
    return privately({ done: 'erased' as const });
  }
  await savePreferences(app, subscriber.id, { frequency, categoryIds: await readCategoryIds(app, form) });
  return privately({ done: 'saved' as const });
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction<typeof loader> = ({ matches }) => {
  const site = siteOf(matches);
  const title = newsletterTexts(site.language).manageHeading;
  return pageMeta(site, { title, description: title, path: '/subscribe', noIndex: true });
};

export default function Subscription() {
  const { token, subscriber, categories, isNew } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const texts = newsletterTexts(useSite().language);
  const notice =
    answer?.done === 'erased'
      ? texts.erased
      : answer?.done === 'saved'
        ? texts.saved
        : isNew
          ? texts.confirmed
          : subscriber?.state === 'unsubscribed'
            ? texts.unsubscribed
            : null;
  return (
    <div className="list-page newsletter-page">
      <header className="page-heading">
        <h1>{texts.manageHeading}</h1>
        {subscriber ? <p>{subscriber.email}</p> : null}
      </header>
      {notice ? (
        <p className="notice" role="status">
          {notice}
        </p>
      ) : null}
      {subscriber ? (
        <>
          <form method="post" className="subscribe-form">
            {frequencies.map((frequency) => (
              <label key={frequency}>
                <input
                  type="radio"
                  name="frequency"
                  value={frequency}
                  defaultChecked={subscriber.frequency === frequency}
                />{' '}
                {texts[frequency]}
              </label>
            ))}
            <CategoryChoices categories={categories} chosen={subscriber.chosen} />
            <button name="intent" value="save">
              {texts.save}
            </button>
            <button name="intent" value="export">
              {texts.export}
            </button>
            <button name="intent" value="erase">
              {texts.erase}
            </button>
          </form>
          {subscriber.state === 'unsubscribed' ? null : (
            <p>
              <a href={`/unsubscribe/${token}`}>{texts.unsubscribe}</a>
            </p>
          )}
        </>
      ) : null}
    </div>
  );
}
