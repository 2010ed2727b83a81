/** A picture of the demo magazine, drawn when it is created. */
export interface Drawing {
  name: string;
  alt: string;
  svg: string;
}

const WIDTH = 1600;
const HEIGHT = 1066;

export const drawings: readonly Drawing[] = [
  {
    name: 'harbour',
    alt: 'Boats at anchor below a low sun, with hills behind the bay',
    svg: scene(
      sky('#27466b', '#e98a5b', '#ffd9a0'),
      disc(1050, 520, 92, '#fff1cf'),
      disc(1050, 520, 190, '#ffd9a0', 0.28),
      ridge(560, 90, 5, '#8d6a86'),
      ridge(610, 50, 9, '#5d5475'),
      rect(0, 640, WIDTH, 426, '#3c4f73'),
      ...range(14, (i) => rect(960 - i * 9, 652 + i * 26, 190 + i * 17, 7, '#ffd9a0', 0.62 - i * 0.035)),
      boat(330, 760, 1.5, '#1c2438'),
      boat(720, 705, 0.8, '#27314b'),
      boat(1330, 735, 1.1, '#1f2840'),
      ridge(1010, 34, 11, '#141a2a'),
    ),
  },
  {
    name: 'viaduct',
    alt: 'A train with lit windows crosses a viaduct at night',
    svg: scene(
      sky('#0b1230', '#24386b', '#5a6fa3'),
      ...range(70, (i) => disc(noise(i, 1) * WIDTH, noise(i, 2) * 520, 1 + noise(i, 3) * 2.4, '#fff', 0.8)),
      disc(330, 230, 78, '#f6ecc9'),
      disc(368, 208, 70, '#101a40'),
      ridge(620, 130, 4, '#1d2b57'),
      ridge(760, 80, 7, '#152148'),
      rect(0, 590, WIDTH, 46, '#0a1029'),
      ...range(9, (i) => arch(i * 190 - 30, 636, 190, '#0a1029')),
      rect(340, 512, 1010, 78, '#131c3f', 1, 16),
      ...range(17, (i) => rect(372 + i * 56, 532, 36, 26, '#ffd67a', 0.95, 3)),
      `<path d="M1350 528q90 6 110 62h-110z" fill="#131c3f"/>`,
      ridge(960, 60, 8, '#070c20'),
    ),
  },
  {
    name: 'trees',
    alt: 'Sunlight between the trunks of a beech wood',
    svg: scene(
      sky('#e9efbf', '#b8d08b', '#7fa86a'),
      disc(820, 330, 260, '#fbf8d8', 0.75),
      ...trunks(26, 16, '#a3bf86', 0.8),
      ridge(800, 60, 6, '#7a9f63'),
      ...trunks(15, 34, '#57784b', 0.95),
      ridge(890, 50, 8, '#496b3f'),
      ...trunks(7, 74, '#263a28', 1),
      ridge(990, 40, 9, '#1b2c1f'),
    ),
  },
  {
    name: 'bread',
    alt: 'Two loaves and a knife on a table by the window',
    svg: scene(
      rect(0, 0, WIDTH, HEIGHT, '#ead2ae'),
      rect(150, 90, 560, 520, '#fbf1da', 1, 8),
      rect(150, 340, 560, 12, '#d5b68a'),
      rect(424, 90, 12, 520, '#d5b68a'),
      disc(590, 220, 60, '#f3c27a'),
      rect(0, 720, WIDTH, 346, '#8a5a3a'),
      rect(0, 720, WIDTH, 16, '#a87048'),
      loaf(560, 740, 330, '#b0662e', '#e0a15a'),
      loaf(1090, 770, 260, '#94511f', '#cf8b45'),
      `<path d="M980 900l420-46q34-2 30 22-2 14-34 18l-414 34z" fill="#d9d4cb"/>`,
      rect(820, 894, 170, 34, '#3b2517', 1, 16),
    ),
  },
  {
    name: 'lighthouse',
    alt: 'The beam of a lighthouse over a dark sea',
    svg: scene(
      sky('#162b45', '#3f6a7d', '#e7a77b'),
      `<path d="M432 330L1600 150v250z" fill="#fff2c4" opacity=".32"/><path d="M432 330L0 250v130z" fill="#fff2c4" opacity=".2"/>`,
      rect(0, 700, WIDTH, 366, '#1d4257'),
      ...range(30, (i) =>
        rect(noise(i, 7) * 1500, 720 + noise(i, 8) * 320, 60 + noise(i, 9) * 190, 4, '#e7a77b', 0.35),
      ),
      `<path d="M0 752q170-96 330-74t330 120q120 60 190 268H0z" fill="#10202c"/>`,
      `<path d="M392 690l18-330h44l18 330z" fill="#f3ead9"/><path d="M398 580h68l-4-64h-60zM406 450h52l-3-50h-46z" fill="#b4402f"/>`,
      rect(398, 312, 68, 50, '#16232f', 1, 4),
      disc(432, 336, 20, '#fff2c4'),
      `<path d="M392 316l40-40 40 40z" fill="#b4402f"/>`,
    ),
  },
  {
    name: 'type',
    alt: 'Blocks of wooden type in a tray',
    svg: scene(
      rect(0, 0, WIDTH, HEIGHT, '#2b2320'),
      ...range(40, (i) => {
        const [column, row] = [i % 8, Math.floor(i / 8)];
        const [x, y] = [28 + column * 194, 26 + row * 205];
        const [paper, ink] = [
          ['#d9a25f', '#5a2f16'],
          ['#c94f37', '#fbe9d2'],
          ['#efe0c4', '#2b2320'],
          ['#3f6f73', '#f1e6cf'],
        ][Math.floor(noise(i, 4) * 4)]!;
        const letter = 'DATELINEABCGHKMOPQRSTUVWXYZ&?!69'[Math.floor(noise(i, 5) * 32)]!;
        return (
          rect(x, y, 180, 190, paper!, 1, 6) +
          `<text x="${x + 90}" y="${y + 142}" font-family="serif" font-weight="700" font-size="140" text-anchor="middle" fill="${ink}">${letter.replace('&', '&amp;')}</text>`
        );
      }),
    ),
  },
  {
    name: 'waves',
    alt: 'Circles of radio waves spread over a hill',
    svg: scene(
      rect(0, 0, WIDTH, HEIGHT, '#f1b24a'),
      ...range(13, (i) =>
        disc(800, 820, 1240 - i * 92, ['#e8643c', '#f1b24a', '#fbe3a4', '#2f7f86'][i % 4]!),
      ),
      ridge(820, 70, 4, '#1f4f5b'),
      rect(792, 470, 16, 360, '#12303a'),
      `<path d="M800 470l-90 370M800 470l90 370M752 660h96M736 730h128" stroke="#12303a" stroke-width="9" fill="none"/>`,
      disc(800, 462, 18, '#c23b22'),
      ridge(930, 40, 7, '#12303a'),
    ),
  },
  {
    name: 'ferry',
    alt: 'A ferry in a winter sea, with snow on the hills',
    svg: scene(
      sky('#b9cddb', '#dfe8ec', '#f6efe6'),
      ridge(520, 150, 4, '#c3d2dc'),
      ridge(590, 90, 6, '#a3b9c7'),
      rect(0, 660, WIDTH, 406, '#7f9fb2'),
      ...range(26, (i) =>
        rect(noise(i, 4) * 1500, 690 + noise(i, 5) * 340, 80 + noise(i, 6) * 200, 4, '#e9f1f4', 0.5),
      ),
      `<path d="M420 690h700l-60 96H500z" fill="#b23a2e"/><path d="M420 690h700l-8 14H430z" fill="#f4f1ea"/>`,
      rect(520, 610, 480, 80, '#f4f1ea', 1, 6),
      ...range(11, (i) => rect(545 + i * 41, 632, 24, 22, '#38536a', 1, 3)),
      rect(600, 548, 250, 62, '#f4f1ea', 1, 6),
      rect(880, 520, 56, 90, '#1f3a52'),
      rect(880, 538, 56, 18, '#e7b44a'),
      ...range(90, (i) => disc(noise(i, 1) * WIDTH, noise(i, 2) * HEIGHT, 2 + noise(i, 3) * 5, '#fff', 0.85)),
    ),
  },
];

function scene(...parts: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${parts.join('')}</svg>`;
}

function sky(top: string, middle: string, bottom: string): string {
  return `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${top}"/><stop offset=".45" stop-color="${middle}"/><stop offset=".7" stop-color="${bottom}"/></linearGradient></defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#sky)')}`;
}

function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  opacity = 1,
  round = 0,
): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}" fill="${fill}" opacity="${opacity}"/>`;
}

function disc(x: number, y: number, radius: number, fill: string, opacity = 1): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" opacity="${opacity}"/>`;
}

/** The outline of hills, filled down to the lower edge. */
function ridge(y: number, height: number, count: number, fill: string): string {
  const step = WIDTH / count;
  const heights = range(count + 1, (i) => y - noise(i, y + count) * height);
  const curves = range(count, (i) => {
    const [x, middle] = [i * step, (i + 0.5) * step];
    return `C${middle} ${heights[i]} ${middle} ${heights[i + 1]} ${x + step} ${heights[i + 1]}`;
  });
  return `<path d="M0 ${heights[0]}${curves.join('')}V${HEIGHT}H0z" fill="${fill}"/>`;
}

function trunks(count: number, width: number, fill: string, opacity: number): string[] {
  return range(count, (i) => {
    const x = ((i + noise(i, width) * 0.8) * WIDTH) / count;
    const lean = (noise(i, width + 1) - 0.5) * width;
    return `<path d="M${x} -10h${width}l${lean} ${HEIGHT}h${-width * 1.3}z" fill="${fill}" opacity="${opacity}"/>`;
  });
}

function boat(x: number, y: number, size: number, fill: string): string {
  return `<g transform="translate(${x} ${y}) scale(${size})" fill="${fill}"><path d="M-90 0h190l-34 46h-126z"/><path d="M4-170h7V0H4zM16-160L96-18H16zM-2-140L-66-18H-2z"/></g><rect x="${x - 60 * size}" y="${y + 50 * size}" width="${130 * size}" height="${6 * size}" fill="${fill}" opacity=".4"/>`;
}

function arch(x: number, y: number, width: number, fill: string): string {
  const radius = width / 2 - 18;
  return `<path d="M${x} ${y}h${width}v430h-18v-300a${radius} ${radius} 0 0 0-${2 * radius} 0v300h-18z" fill="${fill}"/>`;
}

function loaf(x: number, y: number, width: number, crust: string, crumb: string): string {
  const cuts = range(3, (i) => {
    const cut = x - width * 0.5 + i * width * 0.36;
    return `<path d="M${cut} ${y - width * 0.2}q${width * 0.12}-${width * 0.2} ${width * 0.26}-${width * 0.2}-${width * 0.04} ${width * 0.16}-${width * 0.16} ${width * 0.26}z" fill="${crumb}"/>`;
  });
  return `<path d="M${x - width} ${y + 60}q-20-${width * 0.72} ${width}-${width * 0.72}t${width} ${width * 0.72}q0 40-40 40H${x - width + 40}q-40 0-40-40z" fill="${crust}"/>${cuts.join('')}`;
}

function range<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** The same number from 0 to 1 for the same arguments, without a pattern that anyone sees. */
function noise(index: number, seed: number): number {
  const value = Math.sin(index * 127.1 + seed * 311.7) * 43758.5453;
  return value - Math.floor(value);
}
