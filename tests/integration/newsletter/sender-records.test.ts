import { expect, it } from 'vitest';
import { checkMailSender } from '#app/operations/check-mail.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { describeWithOneApp } from '#tests/support/app.ts';

const good: Record<string, string[]> = {
  'news.example.org': ['v=spf1 include:mail.example.net -all', 'other'],
  '_dmarc.example.org': ['v=DMARC1; p=none'],
  'key._domainkey.example.org': ['v=DKIM1; k=rsa; p=MIIB'],
};

describeWithOneApp(
  'the sender’s records',
  (getApp) => {
    const check = (records: Record<string, string[]>) =>
      checkMailSender(getApp(), async (name) => records[name] ?? []);
    const set = (settings: Record<string, string>) => changeSettings(getApp(), settings);

    it('are not asked for while the newsletter is off', async () => {
      expect(await check({})).toMatchObject({ status: 'ok' });
    });

    it('are in order, or each missing one is named', async () => {
      await set({
        newsletter_enabled: 'yes',
        smtp_host: 'mail.example.net',
        smtp_from: 'News <a@news.example.org>',
      });
      await set({ dkim_domain: 'example.org', dkim_selector: 'key' });
      expect(await check(good)).toMatchObject({ status: 'ok' });
      const { status, message } = await check({});
      expect(status).toBe('problem');
      for (const word of ['SPF', 'DMARC', 'DKIM']) expect(message).toContain(word);
      const twice = { ...good, 'news.example.org': ['v=spf1 -all', 'v=spf1 mx -all'] };
      expect((await check(twice)).message).toContain('more than one SPF record');
      expect((await check({ ...good, 'news.example.org': ['v=spf1 +all'] })).status).toBe('problem');
      expect((await check({ ...good, 'key._domainkey.example.org': ['v=DKIM1; p='] })).message).toContain(
        'DKIM key',
      );
    });

    it('say when DKIM signs for another domain than the sender’s', async () => {
      await set({ dkim_domain: 'example.com' });
      const records = { ...good, 'key._domainkey.example.com': ['p=MIIB'] };
      expect((await check(records)).message).toContain('Use one domain');
    });

    it('are unknown while DNS does not answer', async () => {
      const failing = checkMailSender(getApp(), () => Promise.reject(new Error('timeout')));
      expect(await failing).toMatchObject({ status: 'warning' });
    });
  },
  { dialects: ['sqlite'] },
);
