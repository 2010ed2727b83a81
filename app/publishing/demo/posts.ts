/** A post of the demo magazine. The first is the newest. `{picture:name}` in a body is the address of that drawing. */
export interface DemoPost {
  slug: string;
  title: string;
  excerpt: string;
  category: 'Coast' | 'Craft' | 'Notes';
  tags: string[];
  /** The drawing that is its cover. */
  cover?: string;
  body: string;
}

export const demoPosts: readonly DemoPost[] = [
  {
    slug: 'how-to-read-a-tide-table',
    title: 'How to read a tide table',
    excerpt:
      'Four numbers a day tell you when the harbour empties. It takes an afternoon to learn what they leave out.',
    category: 'Coast',
    tags: ['Sea', 'Measuring'],
    cover: 'harbour',
    body: `On the wall of the harbour office hangs a sheet of paper that settles most arguments in town. It has a row for each day and four times in each row, and next to every time there is a height, to the nearest ten centimetres. People run a finger along it the way others check the weather.

I had lived here for two years before I could use it. I knew that the big numbers meant water and the small ones meant mud. I didn't know why the numbers were wrong, or that everyone around me knew by how much.

## What the four numbers say

High water comes about every twelve hours and twenty-five minutes. So each day's tides are some fifty minutes later than yesterday's, and the sea slowly walks around the clock. If you remember only one thing, remember that: *tomorrow, add fifty minutes*.

The heights change as well. Around the new and the full moon the sea rises further and falls further; these are spring tides, and they have nothing to do with the season.[^spring] A week later, at half moon, the range is at its smallest.

| Moon | High water | Low water | Range |
|---|---|---|---|
| New moon | 5.8 m | 0.4 m | 5.4 m |
| First quarter | 4.3 m | 1.9 m | 2.4 m |
| Full moon | 5.6 m | 0.6 m | 5.0 m |

## The rule of twelfths

Between low and high the water doesn't rise evenly. Sailors divide the six hours into parts: in the first hour it rises one twelfth of the range, in the second two, in the third three, then three, two and one again. Half of all the water arrives in the middle two hours.

> The sea takes its time, then it doesn't, and then it does again. Most people who get their feet wet were right about the hour and wrong about the minute.

Anna Berg said that. She has run the harbour office for nineteen years and has a drawer full of shoes that people left on the causeway.

![The beam of a lighthouse over a dark sea]({picture:lighthouse} "The causeway ends below the lighthouse. At springs it is under water for five hours.")

## What the table leaves out

A tide table is a forecast of the moon, not of the weather. Wind from the west holds the water in the bay, and low pressure lifts it: one hectopascal is worth about one centimetre.[^pressure] In a November storm the sea can be half a metre higher than the paper says, and early.

So nobody here reads the table alone. They read it, then look at the flag on the chandlery, then at the barometer in the bakery window. Then they add a hand's width, and put the boat where it will still be a boat in the morning.

## How to begin

1. Find today's row, and the next high water.
2. Add an hour if your clocks have changed. The table never does.
3. Subtract low from high. More than four metres is a lot.
4. Go and look. Stand at the slip for ten minutes and watch one stone.

The last step is the one that works. Numbers tell you what the sea intends. The stone tells you what it does.

[^spring]: The word comes from *springing up*, not from the month of April.
[^pressure]: Oceanographers call it the inverse barometer effect. Here it is called "the bakery".`,
  },
  {
    slug: 'a-word-for-every-fog',
    title: 'A word for every fog',
    excerpt: 'There are nine of them. Only one is bad.',
    category: 'Notes',
    tags: ['Sea', 'Words'],
    body: `Haar comes in from the sea, and you can see it coming: a grey wall with a straight top. *Smirr* is what is left when rain gives up. *Lowering* sits on the hill and has no opinion.

The other six are harder to explain to visitors. There is a fog that smells of seaweed and one that smells of nothing. There is one that stops exactly at the church, every time, as if it had been told.

Only the ninth has no name. The fishermen point at it with the chin and stay at home.`,
  },
  {
    slug: 'the-night-train-is-full-again',
    title: 'The night train is full again',
    excerpt: 'For twenty years it ran half empty. Then somebody put the price of a hotel on the same page.',
    category: 'Notes',
    tags: ['Trains', 'Winter'],
    cover: 'viaduct',
    body: `The 22:14 has eleven carriages, four more than last winter. On the platform people stand beside their bags with the look of those who have brought too much and know it.

"It was never a secret," says the conductor, who has been on this line since before the tunnel. "It went to bed with you and woke up by the sea. We just never said so."

## A bed that moves

You hear it in the bends first: a long low note from the couplings, then the click of the cups in their rings. At some point after the viaduct the heating gives up and the blankets begin to make sense.

> You don't lose a day, you lose a night. And you weren't going to use it.

Nobody talks in the corridor. At six the sea is simply there, on the left, as if it had been travelling with us.`,
  },
  {
    slug: 'bread-salt-and-forty-years-of-mornings',
    title: 'Bread, salt and forty years of mornings',
    excerpt: 'The bakery opens at five. The baker is done with the interesting part by then.',
    category: 'Craft',
    tags: ['Bread'],
    cover: 'bread',
    body: `Flour, water, salt. Everything else is time, and Tomas Lind starts spending it at a quarter to one.

He doesn't weigh the water. He looks at the flour, opens the back door, and decides. "People think it's experience," he says. "It's the door."

## What changes

In summer the dough is fast and has to be talked down. In January it sulks. Both loaves are good, and they aren't the same loaf, and the people who have bought it for forty years can tell you the month with their eyes shut.

He will retire in spring. The oven stays, and so does the door.`,
  },
  {
    slug: 'a-tide-clock-in-twenty-lines',
    title: 'A tide clock in twenty lines',
    excerpt: 'One hand, one motor, and the only constant that you need: 12 hours, 25 minutes and 14 seconds.',
    category: 'Craft',
    tags: ['Measuring', 'Code'],
    body: `A tide clock has one hand. At the top it says high, at the bottom low, and it goes round once in every tide. You can buy one. This one cost a broken printer.

\`\`\`js title="tide.js" {3}
const HOUR = 3_600_000;
// From one high water to the next: half a lunar day.
const TIDE = 12.4206 * HOUR;
const KNOWN_HIGH = Date.parse('2026-03-03T06:12:00Z');

function hand(now = Temporal.Now.instant().epochMilliseconds) {
  const since = (now - KNOWN_HIGH) % TIDE;
  return (since / TIDE) * 360;
}

setInterval(() => motor.turnTo(hand()), HOUR / 60);
\`\`\`

It is wrong by up to twenty minutes, because the moon's path is an ellipse and our bay is a funnel. To be right you need thirty-seven constants instead of one. I tried that, too. Nobody noticed, except that I stopped looking out of the window.`,
  },
  {
    slug: 'small-radios-large-distances',
    title: 'Small radios, large distances',
    excerpt:
      'With five watts and a wire in a tree, you can be heard on another continent. Briefly, and by a stranger.',
    category: 'Craft',
    tags: ['Radio'],
    cover: 'waves',
    body: `The wire is eleven metres long and was a washing line. The set fits into a tin. On Sunday, a little after four, a man in Nova Scotia wrote down its call sign and the word *weak*.

Short waves bounce. They go up, meet a layer of air that the sun has charged, and come down somewhere else. Where exactly depends on the hour, the season and a star's mood.

## Why bother

Because it isn't certain. You send four letters into the noise, and mostly the noise keeps them. When something comes back, it comes from a person who sat still at the right moment, and so did you.`,
  },
  {
    slug: 'what-the-typesetter-kept',
    title: 'What the typesetter kept',
    excerpt: 'When the works closed, everyone took something home. Ines Duarte took the letter e.',
    category: 'Craft',
    tags: ['Words', 'Printing'],
    cover: 'type',
    body: `There are four hundred of them in a cigar box, twelve point, worn at the crossbar. "You always run out of those first," she says. "If they had reopened, I'd have been the only one who could print."

She set the town's newspaper for thirty-one years, upside down and from right to left, and still reads menus that way. Her hands know where each letter lay in the case: the frequent ones near, the rare ones at the edge.

> A line that is too full, you can't argue with. You have to write a better one.

The works never reopened. On her birthday somebody sends a card, and it never contains an e.`,
  },
  {
    slug: 'a-winter-with-one-ferry',
    title: 'A winter with one ferry',
    excerpt: 'From November to March the island has one boat, one post day and one conversation.',
    category: 'Coast',
    tags: ['Sea', 'Winter'],
    cover: 'ferry',
    body: `She is called *Vigdis*, and she goes on Tuesdays. On the other days people look at where she would be.

A hundred and twelve of us stayed this winter. The shop orders by list, and the list hangs by the door, so everyone knows who has started baking and who has stopped.

## Tuesday

By nine there are thirty people on the pier, of whom four are expecting something. The rope goes over, the ramp comes down, and for eleven minutes the island is connected to everything.`,
  },
  {
    slug: 'walk-slowly-through-a-beech-wood',
    title: 'Walk slowly through a beech wood',
    excerpt: 'At one kilometre an hour, trees stop being scenery.',
    category: 'Notes',
    tags: ['Trees'],
    cover: 'trees',
    body: `Take twenty steps, then stand until you have counted to sixty. That is the whole method. A forester taught it to me, and she uses it to find out which trees are about to fall.

In the first minute you see trunks. In the second, that none of them is straight. In the third, something that was silent because of you begins to talk again.

We did four hundred metres in an hour and were tired, and I could draw you every one of them.`,
  },
  {
    slug: 'on-keeping-a-notebook',
    title: 'On keeping a notebook',
    excerpt: 'Write down what you would otherwise only remember as weather.',
    category: 'Notes',
    tags: ['Words'],
    body: `Not thoughts. Thoughts keep. Write down the price of ice, who stood next to whom, what the woman at the counter said before she noticed you.

Date every page. In a year you won't care what you felt about it, and you will want very much to know whether it was a Thursday.`,
  },
];
