import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import type { FieldErrors } from '#app/platform/errors.ts';
import { type Message } from '#app/platform/message.ts';
import { TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { secondFactorScreen } from './account.server.ts';

type Props = ViewProps<typeof secondFactorScreen.load, typeof secondFactorScreen.act>;

export default function SecondFactor({ data, result, adminContext }: Props) {
  const t = useWords();
  const codes = result?.codes;
  const errors = result?.errors ?? {};
  return (
    <>
      <div className="page-head">
        <h1>{t('Second factor')}</h1>
        <p>
          <a href={adminUrl(adminContext.adminPath, 'account')}>{t('Back to your account')}</a>
        </p>
      </div>
      <Notices result={result} />
      <div className="settings">
        {codes ? <RecoveryCodes codes={codes} /> : null}
        {data.confirmed ? <On data={data} errors={errors} /> : <Off data={data} errors={errors} />}
      </div>
    </>
  );
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  const t = useWords();
  return (
    <section className="panel" role="status" aria-labelledby="codes">
      <h2 id="codes">{t('Your recovery codes')}</h2>
      <p>
        {t.rich(
          'Store these codes where you can find them without your phone. Each works once, instead of a code from the app. {strong}',
          { strong: <strong>{t('They are shown only once.')}</strong> },
        )}
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </section>
  );
}

function Off({ data: { setup }, errors }: { data: Props['data']; errors: FieldErrors }) {
  const t = useWords();
  if (!setup)
    return (
      <form method="post" className="panel">
        <PageUserField />
        <p>
          {t(
            'With a second factor, logging in needs your password and a code from an app on your phone. A stolen password alone isn’t enough.',
          )}
        </p>
        <button className="primary" name="intent" value="begin">
          {t('Set up second factor')}
        </button>
      </form>
    );
  return (
    <form method="post" className="panel">
      <PageUserField />
      <h2>{t('1. Add the key to your app')}</h2>
      <p>{t('Scan the code with an authenticator app, or enter the key in the app.')}</p>
      <svg
        className="qr"
        viewBox={`0 0 ${setup.qr.size} ${setup.qr.size}`}
        role="img"
        aria-label={t('QR code for the key below')}
        shapeRendering="crispEdges"
      >
        <path d={setup.qr.path} fill="currentColor" />
      </svg>
      <p>
        {t.rich('{link}, or the key: {code}', {
          link: <a href={setup.address}>{t('Open in an app on this device')}</a>,
          code: <code>{setup.secret}</code>,
        })}
      </p>
      <h2>{t('2. Enter the code from the app')}</h2>
      <CodeField errors={errors.code} />
      <button className="primary" name="intent" value="confirm">
        {t('Turn on second factor')}
      </button>
    </form>
  );
}

function On({ data, errors }: { data: Props['data']; errors: FieldErrors }) {
  const t = useWords();
  return (
    <>
      <form method="post" className="panel">
        <PageUserField />
        <h2>{t('Recovery codes')}</h2>
        <p>
          {t('Unused codes: {recoveryCodesLeft}. New codes replace the old ones.', {
            recoveryCodesLeft: data.recoveryCodesLeft,
          })}
        </p>
        <CodeField errors={errors.code} />
        <button name="intent" value="renew">
          {t('Create new codes')}
        </button>
      </form>
      <form method="post" className="panel">
        <PageUserField />
        <h2>{t('Turn off second factor')}</h2>
        <TextField
          name="password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          required
          errors={errors.password}
        />
        <button className="danger" name="intent" value="end">
          {t('Turn off second factor')}
        </button>
      </form>
    </>
  );
}

function CodeField({ errors }: { errors?: Message[] }) {
  return (
    <TextField
      name="code"
      label="Code"
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      errors={errors}
    />
  );
}
