import { Resolver } from 'node:dns/promises';
import { senderOf } from '#app/people/mail.server.ts';
import type { Db } from '#app/platform/services.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { combined, ok, problem, warning, type Finding } from './finding.ts';

const LOOKUP_MS = 3_000;

/** The texts of a name's TXT records; empty if there are none. Rejects when DNS does not answer. */
export type LookUpTexts = (name: string) => Promise<string[]>;

/** Checks the sender's records in DNS: without them Gmail and others refuse a newsletter. */
export async function checkMailSender(app: Db, lookUp: LookUpTexts = lookUpTexts): Promise<Finding> {
  const settings = await readSettings(app);
  if (!settings.newsletter_enabled) return ok('The newsletter is switched off.');
  const { address } = senderOf(settings.newsletter_from || settings.smtp_from);
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  if (settings.smtp_host === '' || domain === '')
    return problem('The newsletter is on, but email is not set up: enter the SMTP host and the sender.');
  try {
    const findings = [
      await checkSpf(domain, lookUp),
      await checkDmarc(domain, lookUp),
      await checkDkim(settings.dkim_domain.toLowerCase(), settings.dkim_selector, domain, lookUp),
    ];
    return combined(findings.flat(), ok(`SPF, DKIM and DMARC of ${domain} are in order.`));
  } catch {
    return warning(`The DNS records of ${domain} could not be read.`);
  }
}

async function checkSpf(domain: string, lookUp: LookUpTexts): Promise<Finding[]> {
  const records = (await lookUp(domain)).filter((text) => /^v=spf1( |$)/i.test(text));
  if (records.length === 0)
    return [problem(`${domain} has no SPF record. Add the one that your mail provider names.`)];
  if (records.length > 1)
    return [problem(`${domain} has more than one SPF record, so none counts. Join them.`)];
  if (/[ +]\+?all$/i.test(records[0]!) && !/[-~?]all$/i.test(records[0]!))
    return [problem(`The SPF record of ${domain} lets everybody send: end it with -all or ~all.`)];
  return [];
}

async function checkDmarc(domain: string, lookUp: LookUpTexts): Promise<Finding[]> {
  const organisation = domain.split('.').slice(-2).join('.');
  for (const name of new Set([domain, organisation]))
    if ((await lookUp(`_dmarc.${name}`)).some((text) => /^v=DMARC1/i.test(text))) return [];
  return [problem(`${domain} has no DMARC record. Add a TXT record _dmarc.${domain}: v=DMARC1; p=none`)];
}

async function checkDkim(
  signing: string,
  selector: string,
  domain: string,
  lookUp: LookUpTexts,
): Promise<Finding[]> {
  // The mail server signs: which key it uses is its own business.
  if (signing === '' || selector === '') return [];
  const name = `${selector}._domainkey.${signing}`;
  const findings: Finding[] = [];
  const keys = (await lookUp(name)).filter((text) => /(^|;)\s*p=/i.test(text));
  if (!keys.some((text) => /(^|;)\s*p=[^;\s]/i.test(text)))
    findings.push(problem(`There is no DKIM key at ${name}. Publish the public half of your key there.`));
  if (signing !== domain && !domain.endsWith(`.${signing}`) && !signing.endsWith(`.${domain}`))
    findings.push(
      problem(`DKIM signs for ${signing}, but the sender is at ${domain}: DMARC fails. Use one domain.`),
    );
  return findings;
}

async function lookUpTexts(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: 1 });
  try {
    return (await resolver.resolveTxt(name)).map((chunks) => chunks.join(''));
  } catch (error) {
    if (['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
