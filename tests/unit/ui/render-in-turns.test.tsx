import { renderToString } from 'react-dom/server';
import { renderToReadableStream } from 'react-dom/server.browser';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LongList, renderLater } from '#app/ui/deferred.tsx';

let turn = 0;
let counting: NodeJS.Immediate;

beforeEach(() => {
  turn = 0;
  const count = () => {
    turn += 1;
    counting = setImmediate(count);
  };
  counting = setImmediate(count);
});

afterEach(() => clearImmediate(counting));

const numbers = Array.from({ length: 10 }, (_, index) => index);

async function pageOf(content: React.ReactNode): Promise<string> {
  const stream = await renderToReadableStream(content);
  await stream.allReady;
  return new Response(stream).text();
}

test('a list that is rendered in turns of the event loop is the same text as one rendered at once', async () => {
  const items = (some: readonly number[]) => some.map((number) => <li key={number}>{number}</li>);
  const page = await pageOf(
    <ul>
      <li>before</li>
      <LongList values={numbers} size={3}>
        {items}
      </LongList>
      <li>after</li>
    </ul>,
  );
  expect(page).toBe(
    renderToString(
      <ul>
        <li>before</li>
        {items(numbers)}
        <li>after</li>
      </ul>,
    ),
  );
});

test('no turn of the event loop renders more of a list than its size', async () => {
  const turnOf: number[] = [];
  const Item = ({ number }: { number: number }) => {
    turnOf[number] = turn;
    return <li>{number}</li>;
  };
  await pageOf(
    <LongList values={numbers} size={3}>
      {(some) => some.map((number) => <Item key={number} number={number} />)}
    </LongList>,
  );
  const counts = new Map<number, number>();
  for (const one of turnOf) counts.set(one, (counts.get(one) ?? 0) + 1);
  expect([...counts.values()]).toEqual([3, 3, 3, 1]);
});

test('what is rendered later comes in a turn of its own and in its place', async () => {
  const turns: number[] = [];
  const Part = ({ name }: { name: string }) => {
    turns.push(turn);
    return <p>{name}</p>;
  };
  const page = await pageOf(
    <div>
      {renderLater(<Part name="screen" />)}
      <Part name="frame" />
    </div>,
  );
  expect(page).toBe('<div><p>screen</p><p>frame</p></div>');
  expect(turns[1]).toBeGreaterThan(turns[0]!);
});
