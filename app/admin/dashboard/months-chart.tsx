import { useWords } from '#app/ui/words.ts';
const HEIGHT = 120;
const STEP = 50;
const BAR = 30;
const TOP = 22;

interface Props {
  months: { month: string; count: number }[];
  language: string;
}

/** The number of posts published in each of the last months. */
export function MonthsPanel(props: Props) {
  const t = useWords();
  return (
    <section className="panel dashboard-chart" aria-labelledby="months">
      <h2 id="months">{t('Published in the last twelve months')}</h2>
      <MonthsChart {...props} />
    </section>
  );
}

/** Bars without inline styles, which the Content Security Policy blocks. Screen readers get the numbers as text. */
function MonthsChart({ months, language }: Props) {
  const t = useWords();
  const highest = Math.max(1, ...months.map(({ count }) => count));
  const format = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' });
  const name = (month: string) => format.format(new Date(`${month}-01T00:00:00Z`));
  const words = months.map(({ month, count }) => `${name(month)} ${count}`).join(', ');
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${months.length * STEP} ${HEIGHT + TOP + 24}`}
      role="img"
      aria-label={t('Posts per month: {words}', { words })}
    >
      <line x1="0" x2={months.length * STEP} y1={HEIGHT + TOP} y2={HEIGHT + TOP} />
      {months.map(({ month, count }, index) => {
        const height = Math.round((count / highest) * HEIGHT);
        const middle = index * STEP + STEP / 2;
        return (
          <g key={month}>
            <rect x={middle - BAR / 2} y={HEIGHT + TOP - height} width={BAR} height={height} rx="3" />
            <text x={middle} y={HEIGHT + TOP - height - 7} className="chart-count">
              {count === 0 ? '' : count}
            </text>
            <text x={middle} y={HEIGHT + TOP + 18}>
              {name(month)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
