import { expect, it } from 'vitest';
import type { Syntax } from '#app/import/markdown/dialects/dialects.ts';
import { transformBody } from '#app/import/markdown/syntax/transform-body.ts';

const context = { postAt: () => null, postNamed: () => null, fileNamed: () => null, warn: () => {} };

// Quadratic, each of these took minutes.
it.each<[string, Syntax]>([
  ['{% highlight go %}\n', 'liquid'],
  ['{% raw %}{% x', 'liquid'],
  ['{% a ', 'liquid'],
  [`{{${' '.repeat(5_000)}`, 'liquid'],
  ['{{< highlight go >}}\n', 'hugo'],
  ['{{</* ', 'hugo'],
  [`{{< figure${' '.repeat(5_000)}`, 'hugo'],
  ['{% quote() %}', 'zola'],
  [':::note\n', 'admonitions'],
  ['{/* ', 'jsx'],
  ['<a b={{ ', 'jsx'],
  ['import a from ', 'jsx'],
  ['$a{ ', 'expressions'],
  ['{a} ', 'expressions'],
])('a megabyte of %j that is never closed is read in one walk', (piece, syntax) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
  const start = process.cpuUsage();
  transformBody(text, [syntax], context);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(5);
});

it('tags that are closed are read as before', () => {
  const read = (text: string, syntax: Syntax) => transformBody(text, [syntax], context);
  expect(read('a {% raw %}{{ x }}{% endraw %} b', 'liquid')).toBe('a {{ x }} b');
  expect(read('{%- comment -%} x {%- endcomment -%}y', 'liquid')).toBe('y');
  expect(read('{% highlight go %}\na\n{% endhighlight %}', 'liquid')).toBe('```go\na\n```');
  expect(read('{{ "/x" | relative_url }} {% toc %}', 'liquid')).toBe('/x ');
  expect(read('{{< highlight go "a=1" >}}\na\n{{< /highlight >}}', 'hugo')).toBe('```go\na\n```');
  expect(read('{{< figure src="a.png" alt="A" />}}', 'hugo')).toBe('![A](a.png)');
  expect(read('{{</* x */>}}', 'hugo')).toBe('{{< x >}}');
  expect(read('{% quote() %}\nz\n{% end %}', 'zola')).toBe('z');
});
