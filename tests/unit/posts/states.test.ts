import { describe, expect, it } from 'vitest';
import {
  archiveTime,
  isDue,
  nextStatus,
  postStatuses,
  publicationTime,
  stateIntents,
  wholeSecond,
} from '#app/posts/fields/states.ts';

const now = new Date('2026-11-20T08:00:30.500Z');
const past = new Date('2026-11-20T07:00:00.000Z');
const future = new Date('2026-11-20T09:00:00.000Z');
const second = new Date('2026-11-20T08:00:30.000Z');

describe('the state after an intent', () => {
  it.each(postStatuses)('save keeps a post %s', (from) => expect(nextStatus(from, 'save')).toBe(from));

  it.each([
    ['publish', 'published'],
    ['schedule', 'scheduled'],
    ['draft', 'draft'],
    ['archive', 'archived'],
  ] as const)('%s makes a post %s, whatever it was', (intent, to) => {
    expect(postStatuses.map((from) => nextStatus(from, intent))).toEqual(postStatuses.map(() => to));
  });

  it('every intent has a state, and every state is the result of an intent', () => {
    const reached = stateIntents.map((intent) => nextStatus('draft', intent));
    expect(new Set(reached)).toEqual(new Set(postStatuses));
  });
});

describe('the publication time', () => {
  it.each(postStatuses)('of a post that is scheduled from %s must come later than now', (from) => {
    expect(publicationTime(from, 'schedule', future, null, now)).toEqual({ ok: true, publishedAt: future });
    expect(publicationTime(from, 'schedule', now, null, now)).toEqual({ ok: false, problem: 'not_future' });
    expect(publicationTime(from, 'schedule', past, null, now)).toEqual({ ok: false, problem: 'not_future' });
    expect(publicationTime(from, 'schedule', null, past, now)).toEqual({ ok: false, problem: 'missing' });
  });

  it('is checked again when a scheduled post is saved', () => {
    expect(publicationTime('scheduled', 'save', past, past, now)).toEqual({
      ok: false,
      problem: 'not_future',
    });
    expect(publicationTime('scheduled', 'save', future, past, now)).toEqual({
      ok: true,
      publishedAt: future,
    });
  });

  it.each(postStatuses)('of a post that is published from %s is now or a kept past one', (from) => {
    for (const wanted of [null, future])
      expect(publicationTime(from, 'publish', wanted, null, now)).toEqual({ ok: true, publishedAt: second });
    expect(publicationTime(from, 'publish', past, null, now)).toEqual({ ok: true, publishedAt: past });
  });

  it('of a published post stays when it is cleared, and cannot move into the future', () => {
    expect(publicationTime('published', 'save', null, past, now)).toEqual({ ok: true, publishedAt: past });
    expect(publicationTime('published', 'save', future, past, now)).toEqual({ ok: false, problem: 'future' });
  });

  it('of a draft or an archived post is whatever stands there', () => {
    for (const wanted of [null, past, future])
      for (const intent of ['draft', 'archive'] as const)
        expect(publicationTime('published', intent, wanted, past, now)).toEqual({
          ok: true,
          publishedAt: wanted,
        });
  });

  it('never has milliseconds and is never later than the clock', () => {
    expect(wholeSecond(now)).toEqual(second);
    expect(wholeSecond(second)).toEqual(second);
  });
});

describe('the archive time', () => {
  const post = { from: 'published', to: 'published', publishedAt: past, archiveAt: null } as const;

  it('lies after now and after the publication', () => {
    expect(archiveTime(post, future, now)).toEqual({ ok: true, archiveAt: future });
    expect(archiveTime(post, now, now)).toEqual({ ok: false, problem: 'not_future' });
    const scheduled = { ...post, to: 'scheduled', publishedAt: future } as const;
    expect(archiveTime(scheduled, future, now)).toEqual({ ok: false, problem: 'before_publication' });
  });

  it('that waits for a late trigger stands in nobody’s way', () => {
    expect(archiveTime({ ...post, archiveAt: now }, new Date(now), now)).toEqual({
      ok: true,
      archiveAt: now,
    });
    const published = { ...post, from: 'draft', archiveAt: now } as const;
    expect(archiveTime(published, now, now)).toEqual({ ok: false, problem: 'not_future' });
  });

  it('is done with once the post is archived, and free while it is a draft', () => {
    expect(archiveTime({ ...post, to: 'archived' }, future, now)).toEqual({ ok: true, archiveAt: null });
    expect(archiveTime({ ...post, to: 'draft' }, past, now)).toEqual({ ok: true, archiveAt: past });
    expect(archiveTime(post, null, now)).toEqual({ ok: true, archiveAt: null });
  });
});

describe('a due post', () => {
  it('is scheduled and its time has come', () => {
    expect(isDue({ status: 'scheduled', publishedAt: now }, now)).toBe(true);
    expect(isDue({ status: 'scheduled', publishedAt: future }, now)).toBe(false);
    expect(isDue({ status: 'scheduled', publishedAt: null }, now)).toBe(false);
    for (const status of ['draft', 'published', 'archived'])
      expect(isDue({ status, publishedAt: past }, now)).toBe(false);
  });
});
