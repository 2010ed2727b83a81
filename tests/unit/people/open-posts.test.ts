import { expect, it } from 'vitest';
import { OpenPosts } from '#app/people/open-posts.ts';

const ada = { id: 'a', displayName: 'Ada' };
const sam = { id: 's', displayName: 'Sam' };
const at = (second: number) => new Date(second * 1_000);

it('each hears of the others at the same post, until they say nothing for 20 seconds', () => {
  const open = new OpenPosts();
  expect(open.note('p', ada, at(0))).toEqual([]);
  expect(open.note('q', sam, at(0))).toEqual([]);
  expect(open.note('p', sam, at(5))).toEqual(['Ada']);
  expect(open.note('p', ada, at(10))).toEqual(['Sam']);
  expect(open.note('p', ada, at(25))).toEqual(['Sam']);
  expect(open.note('p', ada, at(26))).toEqual([]);
});

it('two tabs of one person are one person', () => {
  const open = new OpenPosts();
  open.note('p', ada, at(0));
  expect(open.note('p', ada, at(1))).toEqual([]);
});

it('remembers a bounded number of posts and names', () => {
  const open = new OpenPosts();
  open.note('first', ada, at(0));
  for (let post = 0; post < 1_000; post += 1) open.note(`p${post}`, ada, at(0));
  expect(open.note('first', sam, at(1))).toEqual([]);
  for (let person = 0; person < 9; person += 1)
    open.note('p', { id: `u${person}`, displayName: `U${person}` }, at(0));
  expect(open.note('p', ada, at(0))).toHaveLength(5);
});
