import type { FormFields } from './form-fields.ts';

/** What the server answers to an autosave (contract, section 8). */
export interface AutosaveAnswer {
  /** Where the text is: in the post, or in a copy that only this editor sees. */
  saved: 'post' | 'copy';
  version: number;
  savedAt: string;
}

/** What it answers to a button that leads to a page. */
export interface DoneAnswer {
  id: string | null;
  version: number | null;
  status: string | null;
  location: string;
}

/** What the database holds while somebody saves an older version. */
export interface Current {
  fields: FormFields;
  version: number;
  editedBy: string | null;
  updatedAt: string;
}

/** How a request of the editor ended. */
export type Answer =
  | { kind: 'autosaved'; answer: AutosaveAnswer }
  | { kind: 'done'; answer: DoneAnswer }
  | { kind: 'wrong'; errors: Record<string, string> }
  /** `current` null: somebody has deleted the post. */
  | { kind: 'conflict'; message: string; current: Current | null }
  | { kind: 'login' }
  | { kind: 'failed'; message: string }
  | { kind: 'unreachable' };

/** The server has the text. */
export type Accepted = Extract<Answer, { kind: 'autosaved' | 'done' }>;

/** The state of a post as the server has it now. */
export interface PostState {
  version: number;
  status: string;
  editedBy: string | null;
  updatedAt: string;
}

// What a browser still sends for a page that is being closed.
const KEEPALIVE_MAX_BYTES = 60_000;
const TIMEOUT_MS = 30_000;

interface Refusal {
  error?: { message: string } | null;
  errors?: Record<string, string>;
  current?: Current | null;
}

/** Sends the form. Never throws: whatever goes wrong is an answer. */
export async function sendForm(url: string, fields: FormFields, { keepalive = false } = {}): Promise<Answer> {
  const body = new URLSearchParams(fields).toString();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
      keepalive: keepalive && body.length < KEEPALIVE_MAX_BYTES,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return await readAnswer(response);
  } catch {
    return { kind: 'unreachable' };
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const { status } = response;
  // A proxy in front of a server that is down answers in its place.
  if (status === 502 || status === 504) return { kind: 'unreachable' };
  const answer = (await response.json().catch(() => ({}))) as Refusal &
    Partial<AutosaveAnswer> &
    Partial<DoneAnswer>;
  if (response.ok && answer.savedAt) return { kind: 'autosaved', answer: answer as AutosaveAnswer };
  if (response.ok && answer.location) return { kind: 'done', answer: answer as DoneAnswer };
  if (status === 401) return { kind: 'login' };
  if (answer.errors) return { kind: 'wrong', errors: answer.errors };
  const message = answer.error?.message ?? 'The server failed.';
  if (status === 409) return { kind: 'conflict', message, current: answer.current ?? null };
  return { kind: 'failed', message };
}

/** Reads something as JSON: `null` when it cannot be had now, `login` and `gone` when there is a reason. */
export async function fetchJson<T>(url: string): Promise<T | 'login' | 'gone' | null> {
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 401) return 'login';
    if (response.status === 404) return 'gone';
    return response.ok ? ((await response.json()) as T) : null;
  } catch {
    return null;
  }
}
