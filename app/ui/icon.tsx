/** SVG paths on a 24 by 24 grid, drawn for this backend. */
const outlines = {
  dashboard: 'M4 13h7V4H4zM13 20h7v-9h-7zM4 20h7v-4H4zM13 8h7V4h-7z',
  posts: 'M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5',
  release: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  time: 'M12 21a9 9 0 1 0-8.500-6M3.500 9v6h6M12 7v5l3 2',
  media: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  category: 'M3 7h7l2 2h9v10H3z',
  tag: 'M4 4h8l8 8-8 8-8-8zM8 8h.01',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.5-5.5 6-5.5s6 2 6 5.5M16 4.5a3.5 3.5 0 0 1 0 6.5M17.5 14.800c2.200.6 3.5 2.5 3.5 5.200',
  appearance:
    'M12 3a9 9 0 1 0 0 18c1.500 0 2-1 1.500-2.300-.6-1.500.4-2.700 2-2.700H18a3 3 0 0 0 3-3c0-5.500-4-10-9-10zM7.500 12h.01M9.500 8h.01M14.500 8h.01',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  system: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  webhook: 'M8 8a4 4 0 1 1 6 3l3 6M7 13a4 4 0 1 0 4 5h6M17 17a2 2 0 1 0 0 .01M10 8l-4 8',
  mail: 'M3 5h18v14H3zM3 7l9 7 9-7',
  audit: 'M5 4h14v16H5zM9 9l1.5 1.5L13 8M9 15h6',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5',
  site: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  logOut: 'M10 4H4v16h6M15 8l4 4-4 4M9 12h10',
  more: 'M5 12.500a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1zM12 12.500a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1zM19 12.500a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1z',
  panel: 'M4 5h16v14H4zM14.500 5v14',
  menu: 'M4 7h16M4 12h16M4 17h16',
  plus: 'M12 5v14M5 12h14',
  bold: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
  italic: 'M14 5h-4M14 19H8M14 5l-4 14M16 5h-4',
  heading: 'M6 5v14M18 5v14M6 12h12',
  quote: 'M5 6v12M10 8h9M10 12h9M10 16h6',
  code: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.700 5.700l1-1',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  numbers: 'M10 6h10M10 12h10M10 18h10M4 5l1.5-1v4M4 14.5c0-2 3-2 3-.3 0 1.300-3 1.800-3 3.300h3',
  strike: 'M5 12h14M16 8c0-2-1.5-3-4-3S8 6 8 8M8 16c0 2 1.5 3 4 3s4-1 4-3',
  tasks: 'M4 4h7v7H4zM5.500 7.500l1.500 1.500 3-3M14 7.500h6M4 15h5v5H4zM14 17.500h6',
  table: 'M4 5h16v14H4zM4 10h16M4 14.500h16M10 5v14',
  footnote: 'M4 8h9M8.500 8v10M17 5l-1.500 1M17 5v5',
  source: 'M4 7h16M4 12h10M4 17h13',
  focus: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4',
  preview: 'M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  keyboard: 'M3 7h18v10H3zM7 10.5h.01M11 10.5h.01M15 10.5h.01M8 14h8',
  move: 'M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3',
  edit: 'M4 20l1-5L16 4l4 4L9 19zM13.500 6.500l4 4',
  send: 'M12 16V4M7 9l5-5 5 5M5 20h14',
  archive: 'M3 5h18v4H3zM5 9v11h14V9M10 13h4',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  back: 'M14 6l-6 6 6 6',
  forward: 'M10 6l6 6-6 6',
  up: 'M12 20V5M6 11l6-6 6 6',
  down: 'M12 4v15M6 13l6 6 6-6',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M8 8h12v12H8zM16 8V4H4v12h4',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  gallery: 'M3 6h8v5H3zM13 6h8v5h-8zM3 13h8v5H3zM13 13h8v5h-8z',
  embed: 'M3 5h18v14H3zM10 9l5 3-5 3z',
  film: 'M4 5h16v14H4zM8 5v14M16 5v14M4 10h4M4 14h4M16 10h4M16 14h4',
  audio: 'M4 10v4h4l5 4V6l-5 4zM16.500 9a4 4 0 0 1 0 6M19 6.500a8 8 0 0 1 0 11',
  formula: 'M18 6V4H6l6 8-6 8h12v-2',
  button: 'M3 8h18v8H3zM8 12h8',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8h.01',
  divider: 'M4 12h16M9 6h6M9 18h6',
} as const;

export type IconName = keyof typeof outlines;

/** Icons with a side that follows the direction of writing. */
const sided: readonly IconName[] = ['back', 'forward', 'list', 'logOut', 'panel', 'quote', 'site', 'source'];

/** An icon beside words; hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className={sided.includes(name) ? 'icon icon-sided' : 'icon'}
      viewBox="0 0 24 24"
      width="20"
      height="20"
      aria-hidden="true"
      focusable="false"
    >
      <path d={outlines[name]} />
    </svg>
  );
}

/** The markup of an icon, for elements that are made without React. */
export function iconOutline(name: IconName): string {
  return `<svg class="${sided.includes(name) ? 'icon icon-sided' : 'icon'}" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="${outlines[name]}"/></svg>`;
}
