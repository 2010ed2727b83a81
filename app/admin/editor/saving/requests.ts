import type { FormFields } from '#app/admin/editor/model/form-fields.ts';
import { OTHER_ACCOUNT, PAGE_USER_HEADER } from '#app/admin/frame/page-user-field.tsx';

/** The server's answer to an autosave (contract, section 8). */
export interface AutosaveAnswer {
  /** Where the server stored the text: in the post, or in an unsaved copy, which only this user sees. */
  saved: 'post' | 'copy';
  version: number;
  savedAt: string;
  /** The errors of fields that the server has not stored; absent if it has stored all. */
  errors?: Record<string, string>;
}

/** The server's answer to a button that leads to a page. */
export interface DoneAnswer {
  id: string | null;
  version: number | null;
  status: string | null;
  location: string;
  /** The text that the form shows after a save to a release. */
  releaseText?: string;
}

/** The newer version on the server with which a save conflicts. */
export interface Current {
  fields: FormFields;
  version: number;
  editedBy: string | null;
  updatedAt: string;
  /** The name of the text in the release with which the save conflicts. */
  releaseText?: string;
  /** Unknown (absent) in the answer to a save that conflicts. */
  status?: string;
  /** The fields of the scheduled update with its time; null: there is none. Unknown (absent) as above. */
  update?: FormFields | null;
}

export type Answer =
  | { kind: 'autosaved'; answer: AutosaveAnswer }
  | { kind: 'done'; answer: DoneAnswer }
  | { kind: 'wrong'; errors: Record<string, string> }
  /** `current` is null when somebody has deleted the post. */
  | { kind: 'conflict'; message: string; current: Current | null }
  /** `isOther`: another account is logged in than that of the page. */
  | { kind: 'login'; isOther: boolean }
  | { kind: 'failed'; message: string }
  | { kind: 'unreachable' };

export type Accepted = Extract<Answer, { kind: 'autosaved' | 'done' }>;

export interface PostState {
  version: number;
  /** Only the scheduled text was saved since the version of the page, which shows the live one. */
  isSameText?: boolean;
  status: string;
  editedBy: string | null;
  updatedAt: string;
  /** The names of the others who have the post open. Absent in the answer of an older server. */
  present?: string[];
}

// Browsers send at most 64 KiB for a page that is being closed.
const KEEPALIVE_MAX_BYTES = 60_000;
const TIMEOUT_MS = 30_000;

interface Refusal {
  error?: { message: string; reason?: string } | null;
  errors?: Record<string, string>;
  current?: Current | null;
}

/**
 * Sends the form. Never throws: errors are kinds of `Answer`.
 * @param options.userId the user of the page; `options.keepalive`: the page may be left meanwhile
 */
export async function sendForm(
  url: string,
  fields: FormFields,
  { userId, keepalive }: { userId: string; keepalive: boolean },
): Promise<Answer> {
  const body = new URLSearchParams(fields).toString();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/x-www-form-urlencoded',
        [PAGE_USER_HEADER]: userId,
      },
      body,
      keepalive: keepalive && body.length < KEEPALIVE_MAX_BYTES,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return await readAnswer(response);
  } catch {
    return { kind: 'unreachable' };
  }
}

/** True for the answer of a proxy whose server is down. */
export function isUnreachable({ status }: Response): boolean {
  return status === 502 || status === 504;
}

async function readAnswer(response: Response): Promise<Answer> {
  const { status } = response;
  if (isUnreachable(response)) return { kind: 'unreachable' };
  const answer = (await response.json().catch(() => ({}))) as Refusal &
    Partial<AutosaveAnswer> &
    Partial<DoneAnswer>;
  if (response.ok && answer.savedAt) return { kind: 'autosaved', answer: answer as AutosaveAnswer };
  if (response.ok && answer.location) return { kind: 'done', answer: answer as DoneAnswer };
  if (status === 401) return { kind: 'login', isOther: answer.error?.reason === OTHER_ACCOUNT };
  if (answer.errors) return { kind: 'wrong', errors: answer.errors };
  const message = answer.error?.message ?? 'The server returned an error.';
  if (status === 409) return { kind: 'conflict', message, current: answer.current ?? null };
  return { kind: 'failed', message };
}

/**
 * Fetches JSON. Never throws.
 * @param userId the user of the page, for whom alone it is fetched; absent: for whoever is logged in
 * @returns `login` after 401, `otherAccount` where that is the reason; `gone` after 404, null after any other failure
 */
export async function fetchJson<T>(
  url: string,
  userId?: string,
): Promise<T | 'login' | 'otherAccount' | 'gone' | null> {
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json', ...(userId && { [PAGE_USER_HEADER]: userId }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 401) {
      const { error } = (await response.json().catch(() => ({}))) as Refusal;
      return error?.reason === OTHER_ACCOUNT ? 'otherAccount' : 'login';
    }
    if (response.status === 404) return 'gone';
    return response.ok ? ((await response.json()) as T) : null;
  } catch {
    return null;
  }
}
