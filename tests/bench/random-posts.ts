// Posts whose words are spread as in real text: a few everywhere, most of them rare.

/** Random numbers from 0 to 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES = 'ke lu ra do ti mo va so ne po bi ga se ru la'.split(' ');
const KNOWN = 'the of and a harbour light winter ferry lighthouse keeper morning tide'.split(' ');
const SPACELESS = ['全文検索の仕組み', '数据库和搜索引擎', '东京的图书馆', '검색엔진을 만들다'];
const VOCABULARY = 40_000;

const words = Array.from({ length: VOCABULARY }, (_, index) => {
  if (index < KNOWN.length) return KNOWN[index]!;
  let [word, rest] = ['', index * 7_919];
  for (let part = 0; part < 2 + (index % 3); part += 1) {
    word += SYLLABLES[rest % SYLLABLES.length]!;
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
});

/** Title, excerpt and body of about 350 words, some of it Chinese, Japanese or Korean now and then. */
export function randomPost(random: () => number, number: number) {
  // Zipf's law, roughly: the n-th word is n times as rare as the first.
  const word = () => words[Math.floor(VOCABULARY ** random()) - 1]!;
  const sentence = (length: number) => `${Array.from({ length }, word).join(' ')}.`;
  const paragraphs = Array.from({ length: 7 }, () => `<p>${sentence(25)} ${sentence(25)}</p>`);
  if (number % 20 === 0) paragraphs.push(`<p>${SPACELESS[(number / 20) % SPACELESS.length]!}</p>`);
  const bodyHtml = paragraphs.join('\n');
  return { title: sentence(6), excerpt: sentence(15), body: '', bodyHtml, wordCount: 350 };
}
