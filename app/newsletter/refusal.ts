/** Why a mail was refused: `address`: it cannot receive; `us`: a block list or a policy; `other`: full, large, down. */
export type RefusalKind = 'address' | 'us' | 'temporary' | 'other';

export interface Refusal {
  kind: RefusalKind;
  /** The enhanced status, such as 5.1.1; '' if there is none. */
  status: string;
  /** The server's words, on one line. */
  words: string;
}

const addressStatuses = /^5\.(1\.([1236]|10)|2\.1)$/;
/** Statuses that say nothing of the address, or are about the sender, a policy, a size or a mailbox that is full. */
const otherStatuses = /^5\.(1\.[78]|2\.[2-4]|3\.\d+|4\.[17]|6\.\d+)$/;

const aboutUs = new RegExp(
  [
    String.raw`block(ed|list|ing)|black ?list|dnsbl|rbl\b|spamhaus|spamcop|barracuda|proofpoint|reputation|\bspam|\bube\b`,
    String.raw`polic(y|ies)|\bspf\b|dkim|dmarc|authenticat|unauthenticated|reverse dns|\bptr\b|r?dns (record|lookup)|helo`,
    String.raw`relay|not (allowed|permitted|authori[sz]ed)|access denied|client host|ip (address )?\S* ?(is )?(not|listed)`,
    String.raw`virus|content (rejected|filter)|rejected (by|due to|for)|protocol violation|header|rate limit|too many`,
    String.raw`sender (address|domain|verify)|domain of sender|return[- ]?path|mail from|connections? not accepted|not accepting connections`,
    String.raw`service refuse|suspicious|complaint|unsolicited|network not allowed|\(bl\)|unable to verify sender|valid sender`,
  ].join('|'),
  'i',
);
const full =
  /quota|mailbox (is )?full|full mailbox|over ?limit|exceeds?|size limit|too (large|big|long)|disk (space|full)|insufficient|storage/i;
const down =
  /time[sd]?[- ]?out|temporar|try again|later|unreachable|connection (refused|reset)|expired|not yet|delayed|could not be delivered for|greylist|retry (time|timeout)|giving up/i;
const noAddress = new RegExp(
  [
    String.raw`(user|account|recipient|mailbox|address|customer|person|member)\b.{0,60}(unknown|not (found|exist|known|here|valid|listed|active)|does ?n[o’']t (exist|have)|doesn|invalid|disabled|inactive|no longer|unavailable|undeliverable|rejected)`,
    String.raw`(unknown|invalid|no such|non-?existent|unrouteable|bad destination|no) (local )?(user|recipient|mailbox|account|address|person|customer|domain|host)`,
    String.raw`(destinataire|adresse).{0,40}invalide|does not (exist|accept mail)|doesn['’]t accept mail|isn['’]t (a )?(valid|our)|not our customer|has moved`,
    String.raw`(host|domain|name)\b.{0,40}(unknown|not found|does not exist|not resolv)|could ?n[o’']t (find|be found)|nxdomain|no mx|null mx|invalid domain|name service error|domain is not reachable`,
    String.raw`no longer (on server|available|valid)|no smtp service|user.{0,20}moved|this user doesn|mailbox unavailable|address rejected`,
  ].join('|'),
  'i',
);
const missing =
  /user unknown|unknown user|no such (user|recipient|mailbox|person|address)|(user|recipient|mailbox|account) (does ?n[o’']t exist|does not exist|not found|unavailable)|invalid recipient|unknown (recipient|mailbox)/i;
const locked = /temporar\w* (locked|disabled|suspended)|suspended/i;

/** Says what a refusal means. `code`: of SMTP, such as 550; 0 if it is not known. */
export function refusalOf(code: number, text: string, knownStatus = ''): Refusal {
  const words = text.replace(/\s+/g, ' ').trim().slice(0, 500);
  const found = /\b([245]\.\d{1,3}\.\d{1,3})\b(?!\.\d)/.exec(words)?.[1] ?? '';
  // What the last server said is more exact than the report's own 5.0.0.
  const status =
    found !== '' && (!/^[45]\.\d+\.\d+$/.test(knownStatus) || isVague(knownStatus) || isPolicy(found))
      ? found
      : knownStatus;
  return { kind: kindOf(code, status, words), status, words };
}

const isVague = (status: string) => /^[45]\.(0\.0|5\.0|4\.7|2\.0|3\.0)$/.test(status);
const isPolicy = (status: string) => /^[45]\.7\.\d+$/.test(status);

function kindOf(code: number, status: string, words: string): RefusalKind {
  if (status.startsWith('4') || (code >= 400 && code < 500)) return 'temporary';
  const says = wordsKind(words);
  // A null MX says that the host takes no mail. Of other policies only those count that name no reason but the address.
  if (status === '5.7.27') return 'address';
  if (status.startsWith('5.7.')) return missing.test(words) && !aboutUs.test(words) ? 'address' : 'us';
  if (addressStatuses.test(status)) return says === 'us' || locked.test(words) ? 'us' : 'address';
  if (otherStatuses.test(status)) return status.startsWith('5.1.') ? 'us' : 'other';
  return says;
}

function wordsKind(words: string): RefusalKind {
  if (full.test(words)) return 'other';
  const isAddress = noAddress.test(words);
  if (aboutUs.test(words) && !isAddress) return 'us';
  if (isAddress) return locked.test(words) ? 'other' : 'address';
  return down.test(words) ? 'temporary' : 'other';
}
