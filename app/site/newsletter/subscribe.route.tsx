import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { addressSchema, requestSubscription } from '#app/newsletter/subscribers.server.ts';
import { newsletterTexts } from '#app/newsletter/texts.ts';
import { networkOf } from '#app/platform/http/network-address.server.ts';
import { supportedLanguage } from '#app/platform/text/languages.ts';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import {
  listChoices,
  privately,
  readCategoryIds,
  readSmallForm,
  requireNewsletter,
} from './answers.server.ts';
import { CategoryChoices, SubscribeFields } from './subscribe-form.tsx';

/** Longer than the work for any address, so that the time of an answer does not tell who is known. */
const ANSWER_MS = 300;

export async function loader({ context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  await requireNewsletter(app);
  return privately({ categories: await listChoices(app) });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const app = await appOf(context);
  await requireNewsletter(app);
  const form = await readSmallForm(request);
  const typed = (form.get('email') ?? '').slice(0, 300);
  const email = addressSchema.safeParse(typed);
  if (!email.success) return privately({ isWrong: true, email: typed }, 400);
  // People do not see this field; programs that fill in every field do.
  const isPerson = !form.get('website');
  const asked = {
    email: email.data,
    categoryIds: await readCategoryIds(app, form),
    language: supportedLanguage(form.get('language') ?? undefined) ?? '',
    network: networkOf(context.clientAddress ?? ''),
  };
  await Promise.all([isPerson && requestSubscription(app, asked), sleep(ANSWER_MS)]);
  return privately({ isWrong: false, email: '' });
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction<typeof loader> = ({ matches }) => {
  const site = siteOf(matches);
  const { heading, invitation } = newsletterTexts(site.language);
  return pageMeta(site, { title: heading, description: invitation, path: '/subscribe', noIndex: true });
};

export default function Subscribe() {
  const { categories } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const texts = newsletterTexts(useSite().language);
  const isSent = answer !== undefined && !answer.isWrong;
  return (
    <div className="list-page newsletter-page">
      <header className="page-heading">
        <h1>{texts.heading}</h1>
      </header>
      {isSent ? (
        <p className="notice" role="status">
          {texts.check}
        </p>
      ) : (
        <>
          <p>{texts.invitation}</p>
          <SubscribeFields email={answer?.email} error={answer?.isWrong ? texts.wrongEmail : undefined}>
            <CategoryChoices categories={categories} />
          </SubscribeFields>
        </>
      )}
    </div>
  );
}
